package io.github.coppicedb.bench.ycsb;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** How long the operations of one thread took. One thread. */
final class OperationTimes {
  private static final int DIGITS = 3;
  private static final double MICRO = 1e3;

  private final Map<Operation, Histogram> histograms = new EnumMap<>(Operation.class);

  void add(Operation operation, long nanos) {
    histograms.computeIfAbsent(operation, any -> new Histogram(DIGITS)).recordValue(nanos);
  }

  /** Takes in those of another thread, which has ended. */
  void add(OperationTimes other) {
    other.histograms.forEach(
        (operation, histogram) ->
            histograms.computeIfAbsent(operation, any -> new Histogram(DIGITS)).add(histogram));
  }

  /** Returns percentiles in microseconds, by column. */
  Map<String, Double> values() {
    Map<String, Double> values = new LinkedHashMap<>();
    histograms.forEach(
        (operation, histogram) -> {
          String name = operation.column();
          values.put(name + "_count", (double) histogram.getTotalCount());
          values.put(name + "_p50_us", histogram.getValueAtPercentile(50) / MICRO);
          values.put(name + "_p99_us", histogram.getValueAtPercentile(99) / MICRO);
          values.put(name + "_p999_us", histogram.getValueAtPercentile(99.9) / MICRO);
          values.put(name + "_max_us", histogram.getMaxValue() / MICRO);
        });
    return values;
  }
}
