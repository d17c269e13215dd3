package io.github.coppicedb.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Runs with what each measured. Immutable.
 *
 * @param all the runs, in the order in which they came
 */
public record Rows(List<Row> all) {
  /**
   * A run.
   *
   * @param task what was done
   * @param engine by whom
   * @param round in which round
   * @param values what was measured, by column
   */
  public record Row(String task, String engine, int round, Map<String, Double> values) {}

  /** Keeps the runs. */
  public Rows {
    all = List.copyOf(all);
  }

  /** Returns a line a run, the header first; what was not measured is empty. */
  public List<String> csv() {
    Set<String> columns = new LinkedHashSet<>();
    all.forEach(row -> columns.addAll(row.values().keySet()));
    List<String> lines = new ArrayList<>();
    lines.add("task,engine,round," + String.join(",", columns));
    for (Row row : all) {
      List<String> fields =
          new ArrayList<>(
              List.of(Csv.field(row.task()), Csv.field(row.engine()), String.valueOf(row.round())));
      for (String column : columns) {
        Double value = row.values().get(column);
        fields.add(value == null ? "" : String.format(Locale.ROOT, "%.6f", value));
      }
      lines.add(String.join(",", fields));
    }
    return lines;
  }

  /** Returns the different tasks. */
  public Set<String> tasks() {
    Set<String> tasks = new LinkedHashSet<>();
    all.forEach(row -> tasks.add(row.task()));
    return tasks;
  }

  /** Returns the engines that did a task. */
  public Set<String> engines(String task) {
    Set<String> engines = new LinkedHashSet<>();
    all.stream().filter(row -> row.task().equals(task)).forEach(row -> engines.add(row.engine()));
    return engines;
  }

  /** Returns the median over the rounds, if it was measured. */
  public OptionalDouble median(String task, String engine, String column) {
    double[] values =
        all.stream()
            .filter(row -> row.task().equals(task) && row.engine().equals(engine))
            .filter(row -> row.values().containsKey(column))
            .mapToDouble(row -> row.values().getOrDefault(column, Double.NaN))
            .toArray();
    return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(Medians.median(values));
  }

  /** Returns the median of one engine over that of another, if both were measured. */
  public OptionalDouble ratio(String task, String column, String above, String below) {
    OptionalDouble first = median(task, above, column);
    OptionalDouble second = median(task, below, column);
    return first.isPresent() && second.isPresent()
        ? OptionalDouble.of(first.getAsDouble() / second.getAsDouble())
        : OptionalDouble.empty();
  }

  /** Returns a number as it stands in a table; nothing if it was not measured. */
  public static String cell(String format, OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "";
  }
}
