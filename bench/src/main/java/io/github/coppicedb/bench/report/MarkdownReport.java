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
import java.util.Locale;
import java.util.OptionalDouble;

/** The report for people: medians and ratios, what was missing, and on what it all ran. */
public final class MarkdownReport {
  private static final double MEGA = 1e6;

  private final Outcome outcome;
  private final Medians medians;
  private final List<String> lines = new ArrayList<>();

  private MarkdownReport(Outcome outcome) {
    this.outcome = outcome;
    this.medians = new Medians(outcome.results());
  }

  /** A column: its head, and how its text is got. */
  private record Column(String head, Medians.Value value, double unit, int digits) {
    static Column seconds(String head, Medians.Value value) {
      return new Column(head, value, 1, 3);
    }

    static Column megabytes(String head, Medians.Value value) {
      return new Column(head, value, MEGA, 1);
    }

    String text(Cell cell, String engine) {
      OptionalDouble found = value.of(cell, engine);
      return found.isEmpty()
          ? ""
          : String.format(Locale.ROOT, "%." + digits + "f", found.getAsDouble() / unit);
    }
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
    report.ratios();
    plots.forEach(plot -> report.add("![%s](%s)".formatted(plot, plot), ""));
    report.tables();
    report.engines();
    report.troubles();
    return report.lines;
  }

  private void add(String... more) {
    lines.addAll(List.of(more));
  }

  private void head(List<String> facts) {
    add("# Strings: keys without data, in one transaction, into an empty table", "");
    facts.forEach(fact -> add("- " + fact));
    add(
        "",
        "Seconds are wall seconds unless CPU is said; all numbers are medians over the rounds.");
    add("LMDB's column is divided by the engine's: more than 1 means less than LMDB.", "");
  }

  private void ratios() {
    List<Cell> cells = medians.cells();
    if (cells.stream().noneMatch(this::hasRatio)) {
      return;
    }
    add("## LMDB / Coppice", "", "LMDB is the better of its two stock runs, number by number.", "");
    List<Column> columns = ratioColumns();
    List<String> heads = new ArrayList<>(List.of("workload", "set", "keys"));
    columns.forEach(column -> heads.add(column.head()));
    table(heads);
    for (Cell cell : cells) {
      if (hasRatio(cell)) {
        List<String> row = new ArrayList<>();
        row.addAll(List.of(cell.workload(), cell.set(), String.valueOf(cell.count())));
        columns.forEach(column -> row.add(column.text(cell, Engines.COPPICE)));
        row(row);
      }
    }
    add("");
  }

  private boolean hasRatio(Cell cell) {
    return medians.ratio(cell, Engines.COPPICE, wall("put")).isPresent();
  }

  private List<Column> ratioColumns() {
    return List.of(
        ratio("put", wall("put")),
        ratio("CPU until merged", medians::cpuToMerged),
        ratio("put + commit + close", medians::durable),
        ratio("disk", metric(Metric.DISK)),
        ratio(
            "reopen + scan",
            (c, e) -> medians.sum(c, e, List.of(Metric.wall("scan"), Metric.wall("reopen")))),
        ratio("hits", wall("hits")),
        ratio("misses", wall("misses")));
  }

  private Column ratio(String head, Medians.Value value) {
    return new Column(head, (cell, engine) -> medians.ratio(cell, engine, value), 1, 2);
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
            Column.seconds("put", wall("put")),
            Column.seconds("put CPU", metric(Metric.cpu("put"))),
            ratio("put ratio", wall("put")),
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
            Column.seconds("longest pause", metric(Metric.GC_MAX)));
    for (Cell cell : medians.cells()) {
      add("## %s, %s, %,d keys".formatted(title(cell), cell.set(), cell.count()), "");
      List<String> heads = new ArrayList<>(List.of("engine"));
      columns.forEach(column -> heads.add(column.head()));
      table(heads);
      for (EngineSpec engine : Engines.all()) {
        if (wall("put").of(cell, engine.name()).isPresent()) {
          List<String> row = new ArrayList<>(List.of(engine.name()));
          columns.forEach(column -> row.add(column.text(cell, engine.name())));
          row(row);
        }
      }
      add("");
    }
  }

  private static String title(Cell cell) {
    return cell.workload().equals(Workload.LOAD.workloadName())
        ? "Load in random order"
        : "Workload " + cell.workload();
  }

  private void engines() {
    add("## Engines", "");
    for (EngineSpec engine : Engines.all()) {
      if (medians.engines().contains(engine.name())) {
        String version = outcome.versions().getOrDefault(engine.name(), "");
        add(
            "- %s%s: %s"
                .formatted(engine.name(), version.isEmpty() ? "" : " " + version, engine.how()));
      }
    }
    add("");
  }

  private void troubles() {
    if (outcome.missing().isEmpty() && outcome.failures().isEmpty()) {
      return;
    }
    add("## What is missing", "");
    outcome.missing().forEach((engine, why) -> add("- %s: %s".formatted(engine, why)));
    for (RunFailure failure : outcome.failures()) {
      add(
          "- %s, %s, %s, %,d keys, round %d: %s"
              .formatted(
                  failure.key().engine(),
                  failure.key().workload(),
                  failure.key().set(),
                  failure.key().count(),
                  failure.key().round(),
                  failure.reason()));
    }
    add("");
  }

  private void table(List<String> heads) {
    row(heads);
    row(heads.stream().map(head -> "---").toList());
  }

  private void row(List<String> cells) {
    add("| " + String.join(" | ", cells) + " |");
  }
}
