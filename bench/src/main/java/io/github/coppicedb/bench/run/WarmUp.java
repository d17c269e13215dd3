package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Whole runs before the measured one, in the same process, of other keys of the same kind, so that
 * the code is compiled when the measured one comes: at least {@link #LEAST}, then as long as puts
 * become faster, but not for long. The first of them is the cold one.
 */
final class WarmUp {
  private static final int LEAST = 2;
  private static final int MOST = 5;
  private static final long MOST_NANOS = 20_000_000_000L;

  /** A run that takes more of the time of the best before it is no faster. */
  private static final double FASTER = 0.95;

  private final Supplier<Engine> maker;
  private final RunInput input;
  private final Path parent;

  /**
   * Makes it.
   *
   * @param parent of the folders that the runs get, one after the other
   */
  WarmUp(Supplier<Engine> maker, RunInput input, Path parent) {
    this.maker = maker;
    this.input = input;
    this.parent = parent;
  }

  /** Runs all; returns the values of the first. */
  Map<String, Double> run() throws Exception {
    long begin = System.nanoTime();
    Map<String, Double> first = once();
    double best = put(first);
    for (int runs = 1; runs < MOST && System.nanoTime() - begin < MOST_NANOS; runs++) {
      double next = put(once());
      if (runs + 1 >= LEAST && next > best * FASTER) {
        break;
      }
      best = next;
    }
    return first;
  }

  private static double put(Map<String, Double> values) {
    return values.getOrDefault(Metric.wall("put"), 0.0);
  }

  private Map<String, Double> once() throws Exception {
    Path folder = Files.createTempDirectory(parent, "warm-up");
    try {
      return new HashMap<>(new EngineRun(maker, input, false).measure(folder));
    } finally {
      Folders.delete(folder);
    }
  }
}
