package io.github.coppicedb.bench.ycsb;

import io.github.coppicedb.bench.report.Csv;
import io.github.coppicedb.bench.report.Machine;
import io.github.coppicedb.bench.report.Markdown;
import io.github.coppicedb.bench.report.Medians;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;

/** What the runs gave, as lines for scripts, as a table and as a report. Immutable. */
public final class YcsbReport {
  private static final List<String> PERCENTILES = List.of("p50", "p99", "p999");

  private final YcsbSuite suite;
  private final List<YcsbResult> results;

  YcsbReport(YcsbSuite suite, List<YcsbResult> results) {
    this.suite = suite;
    this.results = List.copyOf(results);
  }

  /** Returns a line a workload that both engines ran: operations a second, Coppice / RocksDB. */
  public List<String> ratioLines() {
    List<String> lines = new ArrayList<>();
    for (YcsbWorkload workload : workloads()) {
      OptionalDouble ours = median(workload, YcsbEngine.COPPICE, "run_per_s");
      OptionalDouble theirs = median(workload, YcsbEngine.ROCKSDB, "run_per_s");
      if (ours.isPresent() && theirs.isPresent()) {
        lines.add(
            String.format(
                Locale.ROOT,
                "ycsb %s ratio %.2f",
                workload.letter(),
                ours.getAsDouble() / theirs.getAsDouble()));
      }
    }
    return lines;
  }

  /** Writes ycsb.csv and ycsb.md into a folder; the other one is that of the databases. */
  public void write(Path folder, Path work) throws IOException {
    Files.createDirectories(folder);
    Files.write(folder.resolve("ycsb.csv"), csv());
    Files.write(folder.resolve("ycsb.md"), markdown(Machine.facts(work, Instant.now())));
  }

  /** Returns a row a run; what was not measured is empty. */
  List<String> csv() {
    Set<String> columns = new LinkedHashSet<>();
    results.forEach(result -> columns.addAll(result.values().keySet()));
    List<String> lines = new ArrayList<>();
    lines.add("workload,engine,round," + String.join(",", columns));
    for (YcsbResult result : results) {
      List<String> fields =
          new ArrayList<>(
              List.of(
                  result.workload().letter(),
                  Csv.field(result.engine().engineName()),
                  String.valueOf(result.round())));
      for (String column : columns) {
        Double value = result.values().get(column);
        fields.add(value == null ? "" : String.format(Locale.ROOT, "%.6f", value));
      }
      lines.add(String.join(",", fields));
    }
    return lines;
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
    for (YcsbWorkload workload : workloads()) {
      for (String name : suite.engines()) {
        rows(text, workload, YcsbEngine.named(name));
      }
    }
    return text.lines();
  }

  private void rows(Markdown text, YcsbWorkload workload, YcsbEngine engine) {
    for (Operation operation : Operation.values()) {
      if (median(workload, engine, operation.column() + "_count").isPresent()) {
        List<String> cells =
            new ArrayList<>(
                List.of(
                    workload.letter() + ": " + workload.what(),
                    engine.engineName(),
                    number("%,.0f", median(workload, engine, "run_per_s")),
                    number("%.2f", median(workload, engine, "run_cpu_s")),
                    operation.column()));
        for (String percentile : PERCENTILES) {
          String column = operation.column() + "_" + percentile + "_us";
          cells.add(number("%.1f", median(workload, engine, column)));
        }
        text.row(cells);
      }
    }
  }

  private static String number(String format, OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "";
  }

  private Set<YcsbWorkload> workloads() {
    Set<YcsbWorkload> workloads = new LinkedHashSet<>();
    results.forEach(result -> workloads.add(result.workload()));
    return workloads;
  }

  private OptionalDouble median(YcsbWorkload workload, YcsbEngine engine, String column) {
    double[] values =
        results.stream()
            .filter(result -> result.workload() == workload && result.engine() == engine)
            .filter(result -> result.values().containsKey(column))
            .mapToDouble(result -> result.values().getOrDefault(column, Double.NaN))
            .toArray();
    return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(Medians.median(values));
  }
}
