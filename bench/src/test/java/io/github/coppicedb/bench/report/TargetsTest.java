package io.github.coppicedb.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.bench.run.Outcome;
import io.github.coppicedb.bench.run.RunFailure;
import io.github.coppicedb.bench.run.RunKey;
import io.github.coppicedb.bench.run.RunResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TargetsTest {
  private static final int MANY = 1 << 22;

  @TempDir private Path folder;

  private static RunKey key(String workload, String engine) {
    return new RunKey(engine, "titles", MANY, workload, 1);
  }

  private static RunResult run(String workload, String engine, Map<String, Double> values) {
    return new RunResult(key(workload, engine), values);
  }

  private static final List<RunResult> RESULTS =
      List.of(
          run(
              "load",
              "coppice",
              Map.of("put_s", 1.0, "disk_bytes", 10.0, "gc_max_pause_s", 0.06, "hits_s", 2.0)),
          run("load", "lmdb", Map.of("put_s", 5.5, "disk_bytes", 34.0, "hits_s", 3.1)),
          run("load", "lmdb-nosync", Map.of("put_s", 6.0, "disk_bytes", 36.0, "hits_s", 3.0)),
          run("load", "lmdb-pieces", Map.of("put_s", 5.0, "disk_bytes", 36.0)),
          run("load", "lmdb-sorted", Map.of("put_s", 0.1)),
          run("load", "treemap", Map.of("put_s", 0.5, "hits_s", 9.0)),
          run("single", "coppice", Map.of("put_s", 3.0)),
          run("ascending", "coppice", Map.of("put_s", 0.9)),
          run(
              "getload",
              "coppice",
              Map.of(
                  "gets_before_per_s", 800.0,
                  "gets_in_load_per_s", 500.0,
                  "gets_after_per_s", 1000.0)));

  private static Outcome outcome() {
    RunFailure failure = new RunFailure(key("heap", "coppice"), "no heap");
    return new Outcome(RESULTS, List.of(failure), Map.of(), Map.of());
  }

  private static void assertHas(List<String> texts, String text) {
    assertTrue(texts.contains(text), () -> text + " is not in\n" + String.join("\n", texts));
  }

  @Test
  void eachTargetIsJudgedByTheBestRunOfLmdb() {
    List<String> texts = new Targets(outcome()).texts();
    String cell = " titles 4194304 measured ";
    assertHas(
        texts, "target 'put phase, LMDB / Coppice'" + cell + "5.00 goal >= 5.0 met (lmdb-pieces)");
    assertHas(texts, "target 'bytes on disk'" + cell + "3.40 goal >= 3.5 missed (lmdb)");
    assertHas(texts, "target 'random get, hit'" + cell + "1.50 goal >= 1.5 met (lmdb-nosync)");
    assertHas(texts, "target 'longest pause, ms'" + cell + "60.00 goal <= 50.0 missed");
    assertHas(
        texts,
        "target 'one put a transaction / own puts in one'"
            + cell
            + "3.00 goal <= 2.0 missed (coppice)");
    assertHas(
        texts,
        "target 'one put a transaction / LMDB's puts in one'"
            + cell
            + "0.60 goal <= 2.0 met (lmdb-pieces)");
    assertHas(texts, "target 'puts ascending / random'" + cell + "0.90 goal <= 1.0 met");
    // Against the better of the rates without a load.
    assertHas(texts, "target 'random get while loading / drained'" + cell + "0.50 goal >= 0.5 met");
    assertHas(texts, "target 'MiB of heap, -Xmx256m'" + cell + "- goal <= 256.0 failed");
    assertTrue(texts.stream().noneMatch(text -> text.contains("miss'")), "misses were not run");
  }

  @Test
  void reportHasAllTargetsAndThePeersThatAreAhead() {
    String report = String.join("\n", MarkdownReport.lines(outcome(), List.of(), List.of()));
    assertTrue(
        report.contains("| put phase, LMDB / Coppice | >= 5.0 | titles | 5.00 met (lmdb-pieces) |"),
        report);
    assertTrue(report.contains("| random get, miss |  |  | not measured |"), report);
    assertTrue(
        report.contains("- bytes on disk, titles, 4,194,304 keys: 3.40, goal >= 3.5. Reason:"),
        report);
    assertTrue(
        report.contains("| load | titles | 4,194,304 | put | 1.000 | treemap 0.500 (in memory) |"),
        report);
  }

  @Test
  void plotHasTheFastestFirst() throws Exception {
    assertEquals("put.svg", PutPlot.draw(new Medians(RESULTS), folder).orElseThrow());
    String svg = Files.readString(folder.resolve("put.svg"));
    assertTrue(svg.startsWith("<svg ") && svg.endsWith("</svg>\n"), svg);
    assertTrue(svg.indexOf(">lmdb-sorted<") < svg.indexOf(">coppice<"), svg);
    assertTrue(svg.indexOf(">coppice<") < svg.indexOf(">lmdb<"), svg);
    assertTrue(svg.contains(">0.24<"), svg);
  }
}
