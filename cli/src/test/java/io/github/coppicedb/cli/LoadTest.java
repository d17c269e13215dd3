package io.github.coppicedb.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The command load. */
final class LoadTest {
  @RegisterExtension private final CommandLineRunner cli = new CommandLineRunner();

  @Test
  void linesAreKeys() {
    String db = cli.database("db");
    String told = cli.runWith("b\na\tx\n\nb\nlast", "load", db, "t").printed();
    assertTrue(told.matches("loaded 5 rows in [0-9.]+ s, [0-9,]+ rows/s\n"), told);
    assertEquals("\t\na\tx\t\nb\t\nlast\t\n", cli.run("scan", db, "t").printed());
  }

  @Test
  void nothingIsNoRow() {
    String db = cli.database("db");
    assertTrue(cli.runWith("", "load", db, "t").printed().startsWith("loaded 0 rows"));
    assertEquals("t\n", cli.run("tables", db).printed());
    assertEquals("0\n", cli.run("scan", db, "t", "--count").printed());
  }

  @Test
  void carriageReturnsAndZeroBytesAreBytes() {
    String db = cli.database("db");
    cli.runWith("a\r\n\0\n", "load", db, "t").printed();
    assertEquals("00\n610d\n", cli.run("scan", db, "t", "--hex", "--keys-only").printed());
  }

  @Test
  void valuesStandBehindTheFirstTab() {
    String db = cli.database("db");
    cli.runWith("a\t1\nb\t2\t3\nc\t\n\t4\n", "load", db, "t", "--values").printed();
    assertEquals("\t4\na\t1\nb\t2\t3\nc\t\n", cli.run("scan", db, "t").printed());
  }

  @Test
  void fromAFile() throws IOException {
    String db = cli.database("db");
    Path file = cli.file("keys.txt");
    List<String> keys = IntStream.range(0, 50_000).mapToObj(i -> "key %08d".formatted(i)).toList();
    Files.write(file, keys);
    assertTrue(
        cli.run("load", db, "t", "--file", file.toString()).printed().startsWith("loaded 50,000"));
    assertEquals(
        keys.stream().collect(Collectors.joining("\n", "", "\n")),
        cli.run("scan", db, "t", "--keys-only").printed());
    assertTrue(
        cli.runWith("x\n", "load", db, "t", "--file", "-").printed().startsWith("loaded 1 "));
  }

  @Test
  void reportsBatchesWhenAsked() {
    String db = cli.database("db");
    List<String> lines =
        cli.runWith("1\n2\n3\n4\n5\n", "load", db, "t", "--batch", "2", "--report")
            .printed()
            .lines()
            .toList();
    assertEquals(List.of("committed 2", "committed 4", "committed 5"), lines.subList(0, 3));
    assertTrue(lines.get(3).startsWith("loaded 5 rows in "));
    assertEquals(
        1, cli.runWith("a\nb\n", "load", db, "t", "--batch", "1").printed().lines().count());
    List<String> json =
        cli.runWith("a\n", "load", db, "t", "--report", "--json").printed().lines().toList();
    assertEquals("{\"committed\":1}", json.get(0));
    String result = "\\{\"rows\":1,\"commits\":1,\"seconds\":[0-9.]+,\"rowsPerSecond\":[0-9.]+}";
    assertTrue(json.get(1).matches(result), json.get(1));
  }

  @Test
  void aBadLineOfOneTransactionStoresNothing() {
    String db = cli.database("db");
    cli.runWith("a\t1\nb\n", "load", db, "t", "--values")
        .failed(3, "line 2 has no tab between a key and a value; nothing was stored");
    cli.runWith("61\n6g\n", "load", db, "t", "--hex")
        .failed(3, "line 2 is not hex; nothing was stored");
    cli.runWith("a\n" + "k".repeat(Limits.MAX_KEY_BYTES + 1) + "\n", "load", db, "t")
        .failed(3, "line 2 is longer than 65536 bytes; nothing was stored");
    cli.runWith(
            "a\t1\n" + "k".repeat(Limits.MAX_KEY_BYTES + 1) + "\tv\n", "load", db, "t", "--values")
        .failed(3, "line 2: a key of 65537 bytes, the limit is 65536; nothing was stored");
    assertEquals("0\n", cli.run("scan", db, "t", "--count").printed());
  }

  @Test
  void aBadLineKeepsTheBatchesBefore() {
    String db = cli.database("db");
    CommandLineRunner.Result result =
        cli.runWith("61\n62\n63\nx\n", "load", db, "t", "--hex", "--batch", "2", "--report");
    assertEquals("committed 2\n", result.text());
    assertEquals(
        "coppice: line 4 is not hex; the first 2 rows stay stored" + System.lineSeparator(),
        result.err());
    assertEquals(3, result.status());
    assertEquals("a\nb\n", cli.run("scan", db, "t", "--keys-only").printed());
  }

  @Test
  void keysOfTheGreatestLength() {
    String db = cli.database("db");
    String longest = "k".repeat(Limits.MAX_KEY_BYTES);
    cli.runWith(longest + "\n" + longest.substring(1), "load", db, "t").printed();
    assertEquals(
        longest + "\n",
        cli.run("scan", db, "t", "--keys-only", "--reverse", "--limit", "1").printed());
    cli.runWith(longest + "\t" + longest + longest, "load", db, "u", "--values").printed();
    assertEquals(longest + longest + "\n", cli.run("get", db, "u", longest).printed());
  }

  @Test
  void unreadableFilesMakeNoDatabase() {
    String db = cli.file("db").toString();
    String missing = cli.file("missing").toString();
    cli.run("load", db, "t", "--file", missing)
        .failed(3, "cannot read %s: there is no such file".formatted(missing));
    String directory = cli.file("").toString();
    cli.run("load", db, "t", "--file", directory)
        .failed(3, "cannot read %s: it is a directory".formatted(directory));
    cli.run("load", db, "t", "--batch", "0").failed(2, "--batch is 0, it must be at least 1");
    assertFalse(Files.exists(Path.of(db)));
  }
}
