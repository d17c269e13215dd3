package io.github.coppicedb.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The command scan. */
final class ScanTest {
  @RegisterExtension private final CommandLineRunner cli = new CommandLineRunner();

  private String fruit() {
    String db = cli.database("db");
    cli.fill(db, "t", "cherry", "3", "apple", "1", "banana", "2", "", "0", "apricot", "4");
    return db;
  }

  @Test
  void printsAllInOrder() {
    String db = fruit();
    assertEquals(
        "\t0\napple\t1\napricot\t4\nbanana\t2\ncherry\t3\n", cli.run("scan", db, "t").printed());
    assertEquals(
        "\napple\napricot\nbanana\ncherry\n", cli.run("scan", db, "t", "--keys-only").printed());
    assertEquals("5\n", cli.run("scan", db, "t", "--count").printed());
    assertEquals("{\"count\":5}\n", cli.run("scan", db, "t", "--count", "--json").printed());
    assertEquals(
        "cherry\t3\nbanana\t2\napricot\t4\napple\t1\n\t0\n",
        cli.run("scan", db, "t", "--reverse").printed());
  }

  @Test
  void ranges() {
    String db = fruit();
    assertEquals("apple\napricot\n", keys(db, "--prefix", "ap"));
    assertEquals("apricot\napple\n", keys(db, "--prefix=ap", "--reverse"));
    assertEquals("apricot\nbanana\n", keys(db, "--from", "apples", "--to", "cherry"));
    assertEquals("banana\napricot\n", keys(db, "--from", "apples", "--to", "cherry", "--reverse"));
    assertEquals("banana\ncherry\n", keys(db, "--from", "banana"));
    assertEquals("\napple\napricot\n", keys(db, "--to", "banana"));
    assertEquals("apricot\n", keys(db, "--prefix", "ap", "--from", "apq", "--to", "b"));
    assertEquals("", keys(db, "--from", "b", "--to", "a"));
    assertEquals("", keys(db, "--from", "b", "--to", "a", "--reverse"));
    assertEquals("", keys(db, "--to", ""));
    assertEquals("", keys(db, "--prefix", "nope"));
    assertEquals("\napple\napricot\nbanana\ncherry\n", keys(db, "--prefix", "", "--from", ""));
  }

  @Test
  void limits() {
    String db = fruit();
    assertEquals("", keys(db, "--limit", "0"));
    assertEquals("\napple\n", keys(db, "--limit", "2"));
    assertEquals("cherry\n", keys(db, "--limit", "1", "--reverse"));
    assertEquals("3\n", keys(db, "--limit", "3", "--count"));
    assertEquals("5\n", keys(db, "--limit", "9", "--count"));
    assertEquals("0\n", keys(db, "--limit", "0", "--count"));
    cli.run("scan", db, "t", "--limit", "-1").failed(2, "--limit is -1, it cannot be negative");
    cli.run("scan", db, "t", "--limit", "many")
        .failed(
            2,
            "invalid value for option '--limit': 'many' is not a long;"
                + " \"coppice scan --help\" shows the usage");
  }

  @Test
  void prefixOfGreatestBytes() {
    String db = cli.database("db");
    cli.runWith("fe\nfeff\nff\nff00\nffff\nffff00\n", "load", "--hex", db, "t").printed();
    assertEquals("ff\nff00\nffff\nffff00\n", keys(db, "--hex", "--prefix", "ff"));
    assertEquals("ffff00\nffff\n", keys(db, "--hex", "--prefix", "ffff", "--reverse"));
    assertEquals("feff\nff\n", keys(db, "--hex", "--from", "fe00", "--to", "ff00"));
    assertEquals("6\n", keys(db, "--hex", "--prefix", "", "--count"));
    cli.run("scan", db, "t", "--hex", "--prefix", "f")
        .failed(2, "--prefix is not hex: 'f'; give two digits a byte");
  }

  @Test
  void jsonAndHexOfEntries() {
    String db = cli.database("db");
    cli.fill(db, "t", "a", "1\\2");
    cli.run("put", db, "t", "--hex", "ff0a09", "00").printed();
    assertEquals(
        "{\"key\":\"a\",\"value\":\"1\\\\2\"}\n{\"keyHex\":\"ff0a09\",\"value\":\"\\u0000\"}\n",
        cli.run("scan", db, "t", "--json").printed());
    assertEquals(
        "{\"keyHex\":\"61\"}\n{\"keyHex\":\"ff0a09\"}\n",
        cli.run("scan", db, "t", "--json", "--hex", "--keys-only").printed());
    assertEquals("61\t315c32\nff0a09\t00\n", cli.run("scan", db, "t", "--hex").printed());
  }

  @Test
  void whatIsScannedCanBeLoaded() {
    String db = cli.database("db");
    cli.run("put", db, "t", "--hex", "090aff", "0a09").printed();
    cli.run("put", db, "t", "", "").printed();
    String lines = cli.run("scan", db, "t", "--hex").printed();
    String copy = cli.database("copy");
    cli.runWith(lines, "load", copy, "t", "--hex", "--values").printed();
    assertEquals(lines, cli.run("scan", copy, "t", "--hex").printed());
  }

  private String keys(String db, String... options) {
    String[] arguments = new String[options.length + 4];
    System.arraycopy(new String[] {"scan", db, "t", "--keys-only"}, 0, arguments, 0, 4);
    System.arraycopy(options, 0, arguments, 4, options.length);
    return cli.run(arguments).printed();
  }
}
