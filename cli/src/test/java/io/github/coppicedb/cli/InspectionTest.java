package io.github.coppicedb.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands tables, stat, check and compact. */
final class InspectionTest {
  @RegisterExtension private final CommandLineRunner cli = new CommandLineRunner();

  @Test
  void tablesAreSorted() {
    String db = cli.database("db");
    cli.run("put", db, "zoo", "k", "v").printed();
    cli.run("put", db, "a \"b\"", "k", "v").printed();
    assertEquals("a \"b\"\nzoo\n", cli.run("tables", db).printed());
    assertEquals(
        "{\"tables\":[\"a \\\"b\\\"\",\"zoo\"]}\n", cli.run("tables", db, "--json").printed());
    cli.run("drop", db, "zoo").printed();
    cli.run("drop", db, "a \"b\"").printed();
    assertEquals("", cli.run("tables", db).printed());
    assertEquals("{\"tables\":[]}\n", cli.run("tables", db, "--json").printed());
  }

  @Test
  void statTellsSizes() {
    String db = cli.database("db");
    cli.fill(db, "t", "a", "1", "b", "2");
    cli.run("compact", db).printed();
    String text = cli.run("stat", db).printed();
    String head = "tables        1\nentries       \\d\non disk       .* B, .* bytes per key\n";
    assertTrue(Pattern.compile(head).matcher(text).lookingAt(), text);
    String json = cli.run("stat", db, "--json").printed();
    assertTrue(json.matches("\\{\"tables\":1,\"entries\":\\d,\"diskBytes\":\\d+,.*\n"), json);
    assertTrue(json.contains("\"levels\":[{\"name\":\""), json);
    assertTrue(json.endsWith("}]}\n"), json);
  }

  @Test
  void statOfNothing() {
    String db = cli.database("db");
    cli.run("put", db, "t", "k", "v").printed();
    cli.run("drop", db, "t").printed();
    cli.run("compact", db).printed();
    assertTrue(cli.run("stat", db).printed().startsWith("tables        0\n"));
    assertTrue(cli.run("stat", db, "--json").printed().startsWith("{\"tables\":0,"));
  }

  @Test
  void checkSaysOk() {
    String db = cli.database("db");
    cli.fill(db, "t", "a", "1", "b", "2");
    String text = cli.run("check", db).printed();
    assertTrue(
        text.matches("ok: [\\d,]+ trees, [\\d,]+ pages, \\d entries, 0 large values\n"), text);
    String json = cli.run("check", db, "--json").printed();
    assertTrue(json.matches("\\{\"ok\":true,\"trees\":\\d+,.*\"entries\":\\d,.*}\n"), json);
  }

  @Test
  void compactKeepsAll() {
    String db = cli.database("db");
    cli.fill(db, "t", "a", "1", "b", "2");
    cli.run("delete", db, "t", "a").printed();
    String text = cli.run("compact", db).printed();
    assertTrue(text.matches("compacted \\d entries in [0-9.]+ s: .* before, .* now, .*\n"), text);
    assertEquals("b\t2\n", cli.run("scan", db, "t").printed());
  }
}
