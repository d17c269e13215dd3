package io.github.coppicedb.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.coppicedb.Limits;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands put, get, delete and drop. */
final class PointCommandsTest {
  @RegisterExtension private final CommandLineRunner cli = new CommandLineRunner();

  @Test
  void putThenGetThenDelete() {
    String db = cli.database("db");
    assertEquals("", cli.run("put", db, "t", "key", "value").printed());
    assertEquals("value\n", cli.run("get", db, "t", "key").printed());
    assertEquals("", cli.run("put", db, "t", "key", "other").printed());
    assertEquals("other\n", cli.run("get", db, "t", "key").printed());
    assertEquals("", cli.run("delete", db, "t", "key").printed());
    cli.run("get", db, "t", "key").failed(1, "there is no such key");
    cli.run("delete", db, "t", "key").failed(1, "there is no such key");
  }

  @Test
  void emptyKeysAndValuesAndTextOfAllKinds() {
    String db = cli.database("db");
    for (String key :
        new String[] {"", " ", "@file", "ü€\uD83D\uDE00", "a=b", "'q'", "\"", "${x}"}) {
      assertEquals("", cli.run("put", db, "t", key, "of " + key).printed());
      assertEquals("of " + key + "\n", cli.run("get", db, "t", key).printed());
    }
    cli.run("put", db, "t", "empty", "").printed();
    assertEquals("\n", cli.run("get", db, "t", "empty").printed());
  }

  @Test
  void keysThatLookLikeOptionsGoBehindTwoDashes() {
    String db = cli.database("db");
    cli.run("put", db, "t", "--", "--hex", "-v").printed();
    assertEquals("-v\n", cli.run("get", db, "t", "--", "--hex").printed());
    cli.run("get", db, "t", "-x")
        .failed(2, "unknown option '-x'; \"coppice get --help\" shows the usage");
  }

  @Test
  void hexStandsForAnyBytes() {
    String db = cli.database("db");
    cli.run("put", db, "t", "--hex", "090aFF00", "fe0A").printed();
    assertEquals("fe0a\n", cli.run("get", db, "t", "--hex", "090aff00").printed());
    cli.run("put", db, "t", "--hex", "61", "").printed();
    assertEquals("\n", cli.run("get", db, "t", "a").printed());
    cli.run("put", db, "t", "--hex", "62", "ff").printed();
    assertArrayEquals(new byte[] {(byte) 0xFF, '\n'}, cli.run("get", db, "t", "b").out());
  }

  @Test
  void badHexAndBadTextAreUsage() {
    String db = cli.file("db").toString();
    cli.run("put", db, "t", "--hex", "zz", "00")
        .failed(2, "KEY is not hex: 'zz'; give two digits a byte");
    cli.run("put", db, "t", "--hex", "00", "123")
        .failed(2, "VALUE is not hex: '123'; give two digits a byte");
    cli.run("get", db, "t", "a\uFFFD")
        .failed(2, "KEY is not text in this locale; try LC_ALL=C.UTF-8, or --hex");
    assertFalse(Files.exists(Path.of(db)), "a bad command must not make a database");
  }

  @Test
  void longKeys() {
    String db = cli.database("db");
    String longest = "k".repeat(Limits.MAX_KEY_BYTES);
    cli.run("put", db, "t", longest, "v").printed();
    assertEquals("v\n", cli.run("get", db, "t", longest).printed());
    cli.run("put", db, "t", longest + "k", "v")
        .failed(2, "KEY has 65537 bytes, a key has at most 65536");
  }

  @Test
  void jsonOfText() {
    String db = cli.database("db");
    cli.run("put", db, "t", "a\"\\\n\t\u0001ü", "x").printed();
    assertEquals(
        "{\"key\":\"a\\\"\\\\\\n\\t\\u0001ü\",\"found\":true,\"value\":\"x\"}\n",
        cli.run("get", "--json", db, "t", "a\"\\\n\t\u0001ü").printed());
    assertEquals(
        "{\"keyHex\":\"62\",\"found\":false}\n",
        cli.run("get", "--json", "--hex", db, "t", "62").text());
    assertEquals(1, cli.run("get", "--json", db, "t", "b").status());
  }

  @Test
  void jsonOfBytes() {
    String db = cli.database("db");
    cli.run("put", db, "t", "--hex", "ff", "efbfbd").printed();
    assertEquals(
        "{\"keyHex\":\"ff\",\"found\":true,\"valueHex\":\"efbfbd\"}\n",
        cli.run("get", "--json", "--hex", db, "t", "ff").printed());
    assertEquals(
        "{\"keyHex\":\"ff\",\"value\":\"\uFFFD\"}\n", cli.run("scan", "--json", db, "t").printed());
  }

  @Test
  void unknownTables() {
    String db = cli.database("db");
    cli.run("put", db, "t", "k", "v").printed();
    String line = "there is no table 'u'; \"coppice tables\" lists what there is";
    cli.run("get", db, "u", "k").failed(1, line);
    cli.run("delete", db, "u", "k").failed(1, line);
    cli.run("scan", db, "u").failed(1, line);
    cli.run("scan", db, "u", "--count").failed(1, line);
    cli.run("drop", db, "u").failed(1, line);
    assertEquals("t\n", cli.run("tables", db).printed());
  }

  @Test
  void badTableNames() {
    String db = cli.database("db");
    cli.run("put", db, "t", "k", "v").printed();
    assertEquals(2, cli.run("put", db, "", "k", "v").status());
    assertEquals(
        2, cli.run("put", db, "n".repeat(Limits.MAX_TABLE_NAME_BYTES + 1), "k", "v").status());
    assertEquals("t\n", cli.run("tables", db).printed());
  }

  @Test
  void dropForgetsATable() {
    String db = cli.database("db");
    cli.run("put", db, "a", "k", "v").printed();
    cli.run("put", db, "b", "k", "w").printed();
    assertEquals("", cli.run("drop", db, "a").printed());
    assertEquals("b\n", cli.run("tables", db).printed());
    assertEquals("w\n", cli.run("get", db, "b", "k").printed());
    cli.run("put", db, "a", "l", "v").printed();
    assertEquals("l\n", cli.run("scan", db, "a", "--keys-only").printed());
  }

  @Test
  void everyDurabilityKeepsWhatACloseLeft() {
    String db = cli.database("db");
    for (String level :
        new String[] {
          "power-safe", "process-safe", "recent-commits-at-risk", "unsaved-commits-at-risk"
        }) {
      cli.run("put", "--durability", level, db, "t", level, "v").printed();
      assertEquals("v\n", cli.run("get", db, "t", level).printed());
    }
    assertEquals(2, cli.run("put", "--durability", "none", db, "t", "k", "v").status());
  }
}
