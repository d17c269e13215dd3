package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.engine.Engines;
import io.github.coppicedb.bench.report.Medians.Cell;
import io.github.coppicedb.bench.run.Metric;
import io.github.coppicedb.bench.run.Outcome;
import io.github.coppicedb.bench.run.RunFailure;
import io.github.coppicedb.bench.run.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The report for people: medians and ratios, what was missing, and on what it all ran. */
public final class MarkdownReport {
  private final Outcome outcome;
  private final Medians medians;
  private final Markdown out = new Markdown();

  private MarkdownReport(Outcome outcome) {
    this.outcome = outcome;
    this.medians = new Medians(outcome.results());
  }

  /**
   * Returns the lines of the report.
   *
   * @param facts about machine and settings
   * @param plots file names of pictures
   */
  public static List<String> lines(Outcome outcome, List<String> facts, List<String> plots) {
    MarkdownReport report = new MarkdownReport(outcome);
    report.head(facts);
    new TargetTable(new Targets(outcome), report.out).write();
    report.ratios();
    new PeerTable(report.medians, report.out).write();
    plots.forEach(plot -> report.out.add("![%s](%s)".formatted(plot, plot), ""));
    report.tables();
    report.engines();
    report.troubles();
    return report.out.lines();
  }

  private void head(List<String> facts) {
    out.add("# Strings: keys without data, in one transaction, into an empty table", "");
    facts.forEach(fact -> out.add("- " + fact));
    out.add(
        "",
        "Seconds are wall seconds unless CPU is said; all numbers are medians over the rounds.");
    out.add("A ratio is LMDB's number divided by the engine's: more than 1 means less than LMDB.");
    out.add("Engines in C need no warm-up; theirs is cold and warm in one.", "");
  }

  private void ratios() {
    List<Cell> cells = medians.cells();
    if (cells.stream().noneMatch(this::hasRatio)) {
      return;
    }
    out.add(
        "## LMDB / Coppice",
        "",
        "LMDB is the best of its runs (`lmdb`, `lmdb-nosync`, `lmdb-pieces`), number by number; the"
            + " table of targets says which.",
        "");
    List<Column> columns = ratioColumns();
    List<String> heads = new ArrayList<>(List.of("workload", "set", "keys"));
    columns.forEach(column -> heads.add(column.head()));
    out.heads(heads);
    for (Cell cell : cells) {
      if (hasRatio(cell)) {
        List<String> row = new ArrayList<>();
        row.addAll(List.of(cell.workload(), cell.set(), String.valueOf(cell.count())));
        columns.forEach(column -> row.add(column.text(cell, Engines.COPPICE)));
        out.row(row);
      }
    }
    out.add("");
  }

  private boolean hasRatio(Cell cell) {
    return medians.ratio(cell, Engines.COPPICE, wall("put")).isPresent();
  }

  private List<Column> ratioColumns() {
    return List.of(
        ratio("put", wall("put")),
        Column.ratio("cold put", medians::coldRatio),
        ratio("CPU until merged", medians::cpuToMerged),
        ratio("put + commit + close", medians::durable),
        ratio("disk", metric(Metric.DISK)),
        ratio("reopen + scan", medians::reopenAndScan),
        ratio("hits", wall("hits")),
        ratio("misses", wall("misses")));
  }

  private Column ratio(String head, Medians.Value value) {
    return Column.ratio(head, (cell, engine) -> medians.ratio(cell, engine, value));
  }

  private Medians.Value metric(String name) {
    return (cell, engine) -> medians.of(cell, engine, name);
  }

  private Medians.Value wall(String phase) {
    return metric(Metric.wall(phase));
  }

  private void tables() {
    List<Column> columns =
        List.of(
            Column.whole("rounds", (c, e) -> OptionalDouble.of(medians.rounds(c, e)), 1),
            Column.seconds("put", wall("put")),
            ratio("put ratio", wall("put")),
            Column.whole("put, ns a key", medians::putNanos, 1),
            Column.whole("cold put, ns a key", metric(Metric.COLD_PUT), 1),
            Column.whole("cold put CPU, ns a key", metric(Metric.COLD_PUT_CPU), 1),
            Column.seconds("put CPU", metric(Metric.cpu("put"))),
            Column.seconds("compilers", metric(Metric.COMPILE)),
            Column.seconds("commit", wall("commit")),
            Column.seconds("drain", wall("drain")),
            Column.seconds("close", wall("close")),
            Column.seconds("CPU until merged", medians::cpuToMerged),
            Column.seconds("reopen", wall("reopen")),
            Column.seconds("scan", wall("scan")),
            Column.seconds("hits", wall("hits")),
            Column.seconds("misses", wall("misses")),
            Column.megabytes("disk MB", metric(Metric.DISK)),
            Column.megabytes("written in put MB", metric(Metric.PUT_WRITTEN)),
            Column.megabytes("peak RSS MB", metric(Metric.PEAK_RSS)),
            Column.megabytes("keys in heap MB", metric(Metric.HEAP_BASE)),
            Column.megabytes("heap beside MB", metric(Metric.HEAP_PEAK)),
            Column.megabytes("after a collection MB", metric(Metric.HEAP_LIVE)),
            Column.seconds("longest pause", metric(Metric.GC_MAX)),
            Column.seconds("cold longest pause", metric(Metric.COLD_GC_MAX)),
            Column.seconds("longest 1,024 puts", metric(Metric.PUT_STALL)));
    for (Cell cell : medians.cells()) {
      out.add("## %s, %s, %,d keys".formatted(title(cell), cell.set(), cell.count()), "");
      List<String> heads = new ArrayList<>(List.of("engine"));
      columns.forEach(column -> heads.add(column.head()));
      out.heads(heads);
      for (EngineSpec engine : Engines.all()) {
        if (wall("put").of(cell, engine.name()).isPresent()) {
          List<String> row = new ArrayList<>(List.of(engine.name()));
          columns.forEach(column -> row.add(column.text(cell, engine.name())));
          out.row(row);
        }
      }
      out.add("");
    }
  }

  private static String title(Cell cell) {
    return cell.workload().equals(Workload.LOAD.workloadName())
        ? "Load in random order"
        : "Workload " + cell.workload();
  }

  private void engines() {
    out.add("## Engines", "");
    for (EngineSpec engine : Engines.all()) {
      if (medians.engines().contains(engine.name())) {
        String version = outcome.versions().getOrDefault(engine.name(), "");
        out.add(
            "- %s%s: %s"
                .formatted(engine.name(), version.isEmpty() ? "" : " " + version, engine.how()));
      }
    }
    out.add("");
  }

  private void troubles() {
    if (outcome.missing().isEmpty() && outcome.failures().isEmpty()) {
      return;
    }
    out.add("## What is missing", "");
    outcome.missing().forEach((engine, why) -> out.add("- %s: %s".formatted(engine, why)));
    for (RunFailure failure : outcome.failures()) {
      out.add(
          "- %s, %s, %s, %,d keys, round %d: %s"
              .formatted(
                  failure.key().engine(),
                  failure.key().workload(),
                  failure.key().set(),
                  failure.key().count(),
                  failure.key().round(),
                  failure.reason()));
    }
    out.add("");
  }
}
