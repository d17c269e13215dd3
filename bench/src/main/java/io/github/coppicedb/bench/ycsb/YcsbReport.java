package io.github.coppicedb.bench.ycsb;

import io.github.coppicedb.bench.report.Machine;
import io.github.coppicedb.bench.report.Markdown;
import io.github.coppicedb.bench.report.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What the runs gave, as lines for scripts, as a table and as a report. Immutable. */
public final class YcsbReport {
  private static final List<String> PERCENTILES = List.of("p50", "p99", "p999");

  private final YcsbSuite suite;
  private final Rows rows;

  YcsbReport(YcsbSuite suite, Rows rows) {
    this.suite = suite;
    this.rows = rows;
  }

  /** Returns a line a workload that both engines ran: operations a second, Coppice / RocksDB. */
  public List<String> ratioLines() {
    List<String> lines = new ArrayList<>();
    for (String letter : rows.tasks()) {
      OptionalDouble ratio =
          rows.ratio(
              letter,
              "run_per_s",
              YcsbEngine.COPPICE.engineName(),
              YcsbEngine.ROCKSDB.engineName());
      if (ratio.isPresent()) {
        lines.add(String.format(Locale.ROOT, "ycsb %s ratio %.2f", letter, ratio.getAsDouble()));
      }
    }
    return lines;
  }

  /** Writes ycsb.csv and ycsb.md into a folder; the other one is that of the databases. */
  public void write(Path folder, Path work) throws IOException {
    Files.createDirectories(folder);
    Files.write(folder.resolve("ycsb.csv"), rows.csv());
    Files.write(folder.resolve("ycsb.md"), markdown(Machine.facts(work, Instant.now())));
  }

  private List<String> markdown(List<String> facts) {
    Markdown text = new Markdown();
    text.add("# YCSB", "");
    facts.forEach(fact -> text.add("- " + fact));
    text.add(
        String.format(
            Locale.ROOT,
            "- %,d records of ten fields of 100 bytes, %,d operations, threads %d, rounds %d,"
                + " changes %s",
            suite.records(),
            suite.operations(),
            suite.threads(),
            suite.rounds(),
            suite.forced() ? "forced one by one" : "not forced"));
    for (String name : suite.engines()) {
      text.add("- " + name + ": " + YcsbEngine.named(name).how());
    }
    text.add("", "Medians over the rounds; times in microseconds.", "");
    text.heads(
        List.of("workload", "engine", "operations/s", "CPU s", "operation", "p50", "p99", "p99.9"));
    for (String letter : rows.tasks()) {
      for (String engine : suite.engines()) {
        addRows(text, YcsbWorkload.of(letter), engine);
      }
    }
    return text.lines();
  }

  private void addRows(Markdown text, YcsbWorkload workload, String engine) {
    String letter = workload.letter();
    for (Operation operation : Operation.values()) {
      if (rows.median(letter, engine, operation.column() + "_count").isPresent()) {
        List<String> cells =
            new ArrayList<>(
                List.of(
                    letter + ": " + workload.what(),
                    engine,
                    Rows.cell("%,.0f", rows.median(letter, engine, "run_per_s")),
                    Rows.cell("%.2f", rows.median(letter, engine, "run_cpu_s")),
                    operation.column()));
        for (String percentile : PERCENTILES) {
          String column = operation.column() + "_" + percentile + "_us";
          cells.add(Rows.cell("%.1f", rows.median(letter, engine, column)));
        }
        text.row(cells);
      }
    }
  }
}
