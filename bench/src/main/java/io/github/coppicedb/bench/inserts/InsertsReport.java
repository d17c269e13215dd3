package io.github.coppicedb.bench.inserts;

import io.github.coppicedb.bench.report.Machine;
import io.github.coppicedb.bench.report.Markdown;
import io.github.coppicedb.bench.report.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** What the runs gave, as lines for scripts, as a table and as a report. Immutable. */
public final class InsertsReport {
  private static final Map<String, String> LESS_IS_BETTER = lessIsBetter();
  private static final List<String> MORE_IS_BETTER = List.of("hits", "misses");

  private final InsertsSuite suite;
  private final Rows rows;

  InsertsReport(InsertsSuite suite, Rows rows) {
    this.suite = suite;
    this.rows = rows;
  }

  /** Returns the phases of the ratio lines and their columns. */
  private static Map<String, String> lessIsBetter() {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("fill", "fill_s");
    columns.put("fill-drained", "fill_drained_s");
    columns.put("fill-cpu", "fill_cpu_s");
    columns.put("fill-written", "fill_written_per_byte");
    columns.put("random", "random_s");
    columns.put("random-drained", "random_drained_s");
    columns.put("random-cpu", "random_cpu_s");
    columns.put("random-written", "random_written_per_byte");
    columns.put("size", "disk_bytes");
    return columns;
  }

  /** Returns a line a phase: how many times as good as RocksDB Coppice is. */
  public List<String> ratioLines() {
    String ours = RowEngine.COPPICE.engineName();
    String theirs = RowEngine.ROCKSDB.engineName();
    List<String> lines = new ArrayList<>();
    LESS_IS_BETTER.forEach(
        (phase, column) -> add(lines, phase, rows.ratio(suite.name(), column, theirs, ours)));
    for (String phase : MORE_IS_BETTER) {
      add(lines, phase, rows.ratio(suite.name(), phase + "_per_s", ours, theirs));
    }
    return lines;
  }

  private static void add(List<String> lines, String phase, OptionalDouble ratio) {
    if (ratio.isPresent()) {
      lines.add(String.format(Locale.ROOT, "inserts %s ratio %.2f", phase, ratio.getAsDouble()));
    }
  }

  /** Writes inserts.csv and inserts.md into a folder; the other one is that of the databases. */
  public void write(Path folder, Path work) throws IOException {
    Files.createDirectories(folder);
    Files.write(folder.resolve("inserts.csv"), rows.csv());
    Files.write(folder.resolve("inserts.md"), markdown(Machine.facts(work, Instant.now())));
  }

  private List<String> markdown(List<String> facts) {
    InsertsPlan plan = suite.plan();
    Markdown text = new Markdown();
    text.add("# Inserts: " + suite.name(), "");
    facts.forEach(fact -> text.add("- " + fact));
    text.add(
        String.format(
            Locale.ROOT,
            "- %,d ordered rows, %,d random inserts over %,d keys, %d s of selects; values %s;"
                + " rounds %d",
            plan.rows(),
            plan.random(),
            plan.range(),
            plan.seconds(),
            plan.sameValues() ? "all zero" : "random",
            suite.rounds()));
    for (String name : suite.engines()) {
      text.add("- " + name + ": " + RowEngine.named(name).how());
    }
    text.add("", "Medians over the rounds.", "");
    List<String> heads = new ArrayList<>(List.of(""));
    heads.addAll(suite.engines());
    text.heads(heads);
    for (String column : columns()) {
      List<String> cells = new ArrayList<>(List.of(column));
      for (String engine : suite.engines()) {
        cells.add(Rows.cell("%,.3f", rows.median(suite.name(), engine, column)));
      }
      text.row(cells);
    }
    return text.lines();
  }

  private List<String> columns() {
    return rows.all().stream().flatMap(row -> row.values().keySet().stream()).distinct().toList();
  }
}
