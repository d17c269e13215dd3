package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.run.Metric;
import io.github.coppicedb.bench.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One row a run; what was not measured is empty. */
public final class Csv {
  private static final String KEY_COLUMNS = "workload,set,count,engine,round,";

  private Csv() {}

  /** Returns the lines, the header first. */
  public static List<String> lines(List<RunResult> results) {
    List<String> lines = new ArrayList<>();
    lines.add(KEY_COLUMNS + String.join(",", Metric.all()));
    for (RunResult result : results) {
      lines.add(line(result));
    }
    return lines;
  }

  private static String line(RunResult result) {
    List<String> fields = new ArrayList<>();
    fields.add(field(result.key().workload()));
    fields.add(field(result.key().set()));
    fields.add(String.valueOf(result.key().count()));
    fields.add(field(result.key().engine()));
    fields.add(String.valueOf(result.key().round()));
    for (String metric : Metric.all()) {
      Double value = result.values().get(metric);
      fields.add(value == null ? "" : number(metric, value));
    }
    return String.join(",", fields);
  }

  private static String number(String metric, double value) {
    return String.format(Locale.ROOT, metric.endsWith("_bytes") ? "%.0f" : "%.6f", value);
  }

  /** Returns a field as it stands in a line. */
  public static String field(String text) {
    return text.matches("(?s).*[,\"\\n\\r].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
