package io.github.coppicedb.bench.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Measured values by name, as they come in. One thread. */
final class Measures {
  private static final double NANO = 1e-9;

  private final Map<String, Double> values = new LinkedHashMap<>();

  /** A piece of work that may throw. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /** Runs a phase and keeps its wall and CPU seconds. */
  void phase(String name, Work work) throws Exception {
    OptionalLong written = ProcessFacts.writtenBytes();
    long cpu = ProcessFacts.cpuNanos();
    long wall = System.nanoTime();
    work.run();
    long wallEnd = System.nanoTime();
    put(Metric.wall(name), (wallEnd - wall) * NANO);
    put(Metric.cpu(name), (ProcessFacts.cpuNanos() - cpu) * NANO);
    OptionalLong writtenEnd = ProcessFacts.writtenBytes();
    if (name.equals("put") && written.isPresent() && writtenEnd.isPresent()) {
      putBytes(Metric.PUT_WRITTEN, writtenEnd.getAsLong() - written.getAsLong());
    }
  }

  void putBytes(String name, long bytes) {
    put(name, (double) bytes);
  }

  void put(String name, double value) {
    values.put(name, value);
  }

  void putAll(Map<String, Double> more) {
    values.putAll(more);
  }

  /** Keeps the put phase of a cold run, a key, and its longest pause. */
  void cold(int keys, Map<String, Double> run) {
    put(Metric.COLD_KEYS, keys);
    put(Metric.COLD_PUT, run.getOrDefault(Metric.wall("put"), Double.NaN) / NANO / keys);
    put(Metric.COLD_PUT_CPU, run.getOrDefault(Metric.cpu("put"), Double.NaN) / NANO / keys);
    put(Metric.COLD_GC_MAX, run.getOrDefault(Metric.GC_MAX, Double.NaN));
  }

  /** Returns the values. */
  Map<String, Double> values() {
    return Map.copyOf(values);
  }
}
