package io.github.coppicedb.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.bench.report.Medians.Cell;
import io.github.coppicedb.bench.run.Metric;
import io.github.coppicedb.bench.run.Outcome;
import io.github.coppicedb.bench.run.RunFailure;
import io.github.coppicedb.bench.run.RunKey;
import io.github.coppicedb.bench.run.RunResult;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class ReportTest {
  private static final Cell CELL = new Cell("load", "words", 1000);

  private static RunResult run(String engine, int round, Map<String, Double> values) {
    return new RunResult(new RunKey(engine, "words", 1000, "load", round), values);
  }

  private static RunResult put(String engine, int round, double seconds) {
    return run(engine, round, Map.of("put_s", seconds));
  }

  private static final List<RunResult> RESULTS =
      List.of(
          run("coppice", 1, Map.of("put_s", 1.0, "put_cpu_s", 1.0, "disk_bytes", 10.0)),
          put("coppice", 2, 7.0),
          put("coppice", 3, 2.0),
          run("lmdb", 1, Map.of("put_s", 9.0, "put_cpu_s", 3.0, "disk_bytes", 45.0)),
          run("lmdb-nosync", 1, Map.of("put_s", 8.0, "put_cpu_s", 4.0, "disk_bytes", 50.0)),
          put("treemap", 1, 3.0));

  @Test
  void mediansAreThoseOfTheRounds() {
    Medians medians = new Medians(RESULTS);
    assertEquals(List.of(CELL), medians.cells());
    assertEquals(OptionalDouble.of(2), medians.of(CELL, "coppice", "put_s"));
    assertEquals(OptionalDouble.of(1), medians.of(CELL, "coppice", "put_cpu_s"));
    assertEquals(OptionalDouble.empty(), medians.of(CELL, "coppice", "scan_s"));
    assertEquals(OptionalDouble.empty(), medians.of(CELL, "other", "put_s"));
    assertEquals(2.5, Medians.median(new double[] {4, 1, 3, 2}));
  }

  @Test
  void ratioIsThatOfTheBetterLmdb() {
    Medians medians = new Medians(RESULTS);
    assertEquals(
        List.of("strings words 1000 put-ratio 4.00 cpu-ratio 3.00 size-ratio 4.50"),
        RatioLines.of(medians));
    assertEquals(
        List.of("strings words 1000 put-ratio - cpu-ratio - size-ratio -"),
        RatioLines.of(new Medians(RESULTS.subList(0, 3))));
  }

  @Test
  void csvHasOneRowARun() {
    List<String> lines = Csv.lines(RESULTS);
    assertEquals(1 + RESULTS.size(), lines.size());
    int columns = 5 + Metric.all().size();
    assertTrue(lines.stream().allMatch(line -> line.split(",", -1).length == columns));
    assertTrue(lines.get(1).startsWith("load,words,1000,coppice,1,1.000000,1.000000,"));
    assertTrue(lines.get(1).contains(",10,"));
  }

  @Test
  void csvQuotesWhatNeedsIt() {
    RunKey key = new RunKey("a,\"b\"", "s", 1, "load", 1);
    assertTrue(
        Csv.lines(List.of(new RunResult(key, Map.of()))).get(1).contains("\"a,\"\"b\"\"\","));
  }

  @Test
  void reportNamesMediansRatiosAndTroubles() {
    RunFailure failure = new RunFailure(RESULTS.getFirst().key(), "no space");
    Outcome outcome =
        new Outcome(RESULTS, List.of(failure), Map.of("h2", "no jar"), Map.of("lmdb", "0.9.24"));
    String report =
        String.join("\n", MarkdownReport.lines(outcome, List.of("fact"), List.of("put.svg")));
    assertTrue(report.contains("- fact\n"), report);
    assertTrue(report.contains("| load | words | 1000 | 4.00 |  | 3.00 | 4.00 | 4.50 |"), report);
    assertTrue(report.contains("| treemap | 1 | 3.000 | 2.67 | 3000000 |"), report);
    assertTrue(report.contains("- lmdb 0.9.24: in C"), report);
    assertTrue(report.contains("![put.svg](put.svg)"), report);
    assertTrue(report.contains("- h2: no jar"), report);
    assertTrue(report.contains("- coppice, load, words, 1,000 keys, round 1: no space"), report);
  }
}
