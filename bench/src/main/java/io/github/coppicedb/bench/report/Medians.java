package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.engine.Engines;
import io.github.coppicedb.bench.run.Metric;
import io.github.coppicedb.bench.run.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** The medians over the rounds, and what is derived from them. Immutable. */
public final class Medians {
  /** The phases that lead from the first put to a database in which nothing is left to be done. */
  private static final List<String> TO_MERGED = List.of("put", "commit", "drain");

  private static final double NANOS = 1e9;

  private final Map<Cell, Map<String, List<RunResult>>> results = new LinkedHashMap<>();

  /** One cell of the tables: all engines in it did the same. */
  public record Cell(String workload, String set, int count) {}

  /** Sorts results into cells; both keep the order in which they came. */
  public Medians(List<RunResult> all) {
    for (RunResult result : all) {
      Cell cell = new Cell(result.key().workload(), result.key().set(), result.key().count());
      results
          .computeIfAbsent(cell, any -> new LinkedHashMap<>())
          .computeIfAbsent(result.key().engine(), any -> new ArrayList<>())
          .add(result);
    }
  }

  /** Returns the cells that have results. */
  public List<Cell> cells() {
    return List.copyOf(results.keySet());
  }

  /** Returns the engines that have results anywhere. */
  public Set<String> engines() {
    Set<String> engines = new LinkedHashSet<>();
    results.values().forEach(cell -> engines.addAll(cell.keySet()));
    return engines;
  }

  /** Returns the median of a metric, if it was measured. */
  public OptionalDouble of(Cell cell, String engine, String metric) {
    double[] values =
        results.getOrDefault(cell, Map.of()).getOrDefault(engine, List.of()).stream()
            .filter(result -> result.values().containsKey(metric))
            .mapToDouble(result -> result.values().getOrDefault(metric, Double.NaN))
            .toArray();
    return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(median(values));
  }

  /** Returns the median of at least one value. */
  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** Returns the sum of several metrics, if the first was measured; others may be missing. */
  public OptionalDouble sum(Cell cell, String engine, List<String> metrics) {
    if (of(cell, engine, metrics.getFirst()).isEmpty()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        metrics.stream().mapToDouble(metric -> of(cell, engine, metric).orElse(0)).sum());
  }

  /** Returns the wall seconds until a commit is on the device and the database closed. */
  public OptionalDouble durable(Cell cell, String engine) {
    return sum(
        cell, engine, List.of(Metric.wall("put"), Metric.wall("commit"), Metric.wall("close")));
  }

  /** Returns the wall seconds of reopening and one scan. */
  public OptionalDouble reopenAndScan(Cell cell, String engine) {
    return sum(cell, engine, List.of(Metric.wall("scan"), Metric.wall("reopen")));
  }

  /** Returns the CPU seconds of all threads until nothing is left to be done. */
  public OptionalDouble cpuToMerged(Cell cell, String engine) {
    return sum(cell, engine, TO_MERGED.stream().map(Metric::cpu).toList());
  }

  /** How a number is got for an engine in a cell. */
  @FunctionalInterface
  public interface Value {
    /** Returns it, if it is known. */
    OptionalDouble of(Cell cell, String engine);
  }

  /** A number, and the engine whose it is. */
  public record Best(String engine, double number) {}

  /** Returns the least number that LMDB has in a cell, of all ways to run it. */
  public Optional<Best> leastOfLmdb(Cell cell, Value value) {
    return Engines.LMDB.stream()
        .flatMap(lmdb -> value.of(cell, lmdb).stream().mapToObj(number -> new Best(lmdb, number)))
        .min(Comparator.comparingDouble(Best::number));
  }

  /** Returns how many times as large the least number of LMDB is as that of an engine. */
  public OptionalDouble ratio(Cell cell, String engine, Value value) {
    Optional<Best> best = leastOfLmdb(cell, value);
    OptionalDouble own = value.of(cell, engine);
    return best.isEmpty() || own.isEmpty() || own.getAsDouble() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(best.get().number() / own.getAsDouble());
  }

  /**
   * Returns the ratio of the put phases with that of an engine's cold run; only in a cell with as
   * many keys as the cold run had.
   */
  public OptionalDouble coldRatio(Cell cell, String engine) {
    if (of(cell, engine, Metric.COLD_KEYS).orElse(0) != cell.count()) {
      return OptionalDouble.empty();
    }
    return ratio(cell, engine, (c, e) -> Engines.LMDB.contains(e) ? putNanos(c, e) : cold(c, e));
  }

  private OptionalDouble cold(Cell cell, String engine) {
    return of(cell, engine, Metric.COLD_PUT);
  }

  /** Returns the nanoseconds a key of the put phase. */
  public OptionalDouble putNanos(Cell cell, String engine) {
    OptionalDouble seconds = of(cell, engine, Metric.wall("put"));
    return seconds.isEmpty()
        ? seconds
        : OptionalDouble.of(seconds.getAsDouble() * NANOS / cell.count());
  }

  /** Returns over how many rounds the medians of an engine in a cell are. */
  public int rounds(Cell cell, String engine) {
    return results.getOrDefault(cell, Map.of()).getOrDefault(engine, List.of()).size();
  }
}
