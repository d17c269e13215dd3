package io.github.coppicedb.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.engine.Engines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BenchTest {
  @TempDir private Path folder;

  /** What a command printed, and how it ended. */
  private record Ran(int status, String out, String err) {}

  private static Ran bench(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status = Main.run(print(out), print(err), args);
    return new Ran(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static PrintStream print(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  private void assertRefused(String message, String... args) {
    Ran ran = bench(args);
    assertEquals(2, ran.status(), ran.err());
    assertTrue(ran.err().startsWith("coppice bench: "), ran.err());
    assertTrue(ran.err().contains(message), ran.err());
  }

  @Test
  void smallRunGivesAllResults() throws IOException {
    Path out = folder.resolve("out");
    Ran ran =
        bench(
            "strings",
            "--engines",
            "coppice,treemap",
            "--counts",
            "2000",
            "--rounds",
            "1",
            "--sets",
            "words",
            "--probes",
            "100",
            "--out",
            out.toString());
    assertEquals(0, ran.status(), ran.err());
    assertTrue(ran.out().contains("strings words 2000 put-ratio - cpu-ratio - size-ratio -"));
    List<String> csv = Files.readAllLines(out.resolve("results.csv"));
    assertEquals(3, csv.size());
    assertTrue(csv.get(1).startsWith("load,words,2000,coppice,1,"), csv.get(1));
    assertFalse(
        csv.get(1).matches("load,words,2000,coppice,1(,[^,]+){0,18},,.*"),
        "a phase of Coppice is missing: " + csv.get(1));
    assertTrue(ran.out().contains("results in "), ran.out());
    assertTrue(csv.get(2).startsWith("load,words,2000,treemap,1,"), csv.get(2));
    assertTrue(Files.readString(out.resolve("report.md")).contains("| coppice |"));
    assertFalse(Files.exists(out.resolve("work")), "the databases are left");
  }

  @Test
  void everyEngineRunsOrIsNamedAsMissing() throws IOException {
    Path out = folder.resolve("out");
    Ran ran =
        bench(
            "strings",
            "--counts",
            "300",
            "--rounds",
            "1",
            "--sets",
            "titles",
            "--probes",
            "50",
            "--warm-up",
            "0",
            "--out",
            out.toString());
    assertEquals(0, ran.status(), ran.err());
    String csv = Files.readString(out.resolve("results.csv"));
    for (EngineSpec engine : Engines.all()) {
      boolean isRun = csv.contains("," + engine.name() + ",");
      assertNotEquals(isRun, ran.out().contains("missing " + engine.name() + ": "), ran.err());
      assertTrue(isRun || engine instanceof EngineSpec.InC, engine.name() + " is missing");
    }
    for (String plot : List.of("load-titles-put", "load-titles-disk")) {
      assertTrue(Files.size(out.resolve(plot + ".svg")) > 0);
      assertTrue(Files.size(out.resolve(plot + ".png")) > 0);
    }
  }

  @Test
  void targetsRunAllThatTheirTableNeeds() throws IOException {
    Path out = folder.resolve("out");
    Ran ran =
        bench(
            "strings",
            "--targets",
            "--engines",
            "coppice,lmdb-nosync",
            "--counts",
            "1000",
            "--rounds",
            "1",
            "--sets",
            "words",
            "--probes",
            "20",
            "--warm-up",
            "0",
            "--out",
            out.toString());
    assertEquals(0, ran.status(), ran.err());
    String report = Files.readString(out.resolve("report.md"));
    boolean hasLmdb = !ran.out().contains("missing lmdb-nosync: ");
    assertNotEquals(hasLmdb, report.contains("not measured"), report);
    assertTrue(ran.out().contains("target 'puts ascending / random' words 1000 measured "));
    assertTrue(ran.out().contains("target 'MiB of heap, -Xmx256m' words 1000 measured "));
    assertTrue(Files.size(out.resolve("put.svg")) > 0);
  }

  @Test
  void failedRunIsToldAndTheOthersGoOn() throws IOException {
    Path out = folder.resolve("out");
    Ran ran =
        bench(
            "strings",
            "--engines",
            "sort,treemap",
            "--counts",
            "100",
            "--rounds",
            "1",
            "--sets",
            "words",
            "--probes",
            "10",
            "--workloads",
            "putget",
            "--out",
            out.toString());
    assertEquals(1, ran.status(), ran.err());
    assertTrue(ran.err().contains("failed: "), ran.err());
    assertEquals(2, Files.readAllLines(out.resolve("results.csv")).size());
    assertTrue(Files.readString(out.resolve("report.md")).contains("gets: 0 keys, expected 100"));
  }

  @Test
  void wrongArgumentsAreToldInALine() {
    assertRefused("a command is needed");
    assertRefused("--out is needed", "strings");
    assertRefused("no engine 'x'; there are coppice, lmdb", outWith("--engines", "x"));
    assertRefused("no workload 'x'; there are load", outWith("--workloads", "x"));
    assertRefused("no set 'x'; there are", outWith("--sets", "x"));
    assertRefused("--counts holds 0", outWith("--counts", "0"));
    assertRefused("'x'", outWith("--counts", "x"));
    assertRefused("--rounds is 0", outWith("--rounds", "0"));
    assertRefused("--probes is -1", outWith("--probes", "-1"));
    assertRefused("exclude each other", outWith("--targets", "--workloads", "load"));
    assertRefused("--peer-rounds is -1", outWith("--peer-rounds", "-1"));
    assertRefused("--warm-up is -1", outWith("--warm-up", "-1"));
    assertRefused("--limit is 0", outWith("--limit", "0"));
    assertRefused("each file needs a name", outWith("--keys", "a"));
    assertRefused("cannot be read", outWith("--keys", "no-such-file", "--name", "a"));
    assertRefused("must be of letters", outWith("--keys", "a", "--name", "a/b"));
  }

  private String[] outWith(String... more) {
    String[] args = new String[more.length + 3];
    args[0] = "strings";
    args[1] = "--out";
    args[2] = folder.resolve("none").toString();
    System.arraycopy(more, 0, args, 3, more.length);
    return args;
  }

  @Test
  void helpNamesTheOptions() {
    Ran ran = bench("help", "strings");
    assertEquals(0, ran.status());
    assertTrue(ran.out().contains("--quick"), ran.out());
    assertEquals(ran, bench("strings", "--help"));
    Ran all = bench("--help");
    assertEquals(0, all.status());
    assertTrue(all.out().contains("strings"), all.out());
  }

  @Test
  void insertsAndYcsbRefuseWhatTheyCannotRun() {
    assertRefused("--out is needed", "inserts");
    assertRefused("no case 'A99'", "inserts", "--out", folder.toString(), "--case", "A99");
    assertRefused("--rows is 0", "inserts", "--out", folder.toString(), "--rows", "0");
    assertRefused("no engine 'x'", "inserts", "--quick", "--engines", "x");
    assertRefused("--rounds is 0", "inserts", "--quick", "--rounds", "0");
    assertRefused("--out is needed", "ycsb");
    assertRefused("no workload 'z'", "ycsb", "--quick", "--workloads", "z");
    assertRefused("no engine 'x'", "ycsb", "--quick", "--engines", "x");
    assertRefused("--threads is 0", "ycsb", "--quick", "--threads", "0");
  }

  @Test
  void smallRunsOfInsertsAndYcsbGiveAllResults() throws IOException {
    Path out = folder.resolve("out");
    Ran inserts =
        bench(
            "inserts",
            "--rows=20000",
            "--random=2000",
            "--seconds=1",
            "--engines=coppice",
            "--out=" + out);
    assertEquals(0, inserts.status(), inserts.err());
    assertEquals(2, Files.readAllLines(out.resolve("inserts.csv")).size());
    assertTrue(Files.readString(out.resolve("inserts.md")).contains("| fill_drained_s |"));
    Ran ycsb =
        bench(
            "ycsb",
            "--workloads=a",
            "--records=500",
            "--operations=500",
            "--rounds=1",
            "--out=" + out);
    assertEquals(0, ycsb.status(), ycsb.err());
    assertTrue(ycsb.out().startsWith("ycsb a ratio "), ycsb.out());
    assertEquals(3, Files.readAllLines(out.resolve("ycsb.csv")).size());
    assertTrue(Files.readString(out.resolve("ycsb.md")).contains("| update |"));
  }
}
