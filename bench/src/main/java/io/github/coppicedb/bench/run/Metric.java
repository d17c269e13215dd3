package io.github.coppicedb.bench.run;

import java.util.ArrayList;
import java.util.List;

/** The names of what is measured, in the order of the columns. */
public final class Metric {
  /** Phases; each has wall seconds {@code phase_s} and CPU seconds {@code phase_cpu_s}. */
  public static final List<String> PHASES =
      List.of("put", "commit", "drain", "close", "reopen", "scan", "hits", "misses");

  /** Bytes that the kernel counts as to be written because of the process, in the put phase. */
  public static final String PUT_WRITTEN = "put_written_bytes";

  /** Bytes of the closed database. */
  public static final String DISK = "disk_bytes";

  /** The most memory that the process had in RAM, keys and mapped files among it. */
  public static final String PEAK_RSS = "peak_rss_bytes";

  /** Heap at the beginning: the keys and probes. */
  public static final String HEAP_BASE = "heap_base_bytes";

  /** The most heap used, garbage among it, until the close, less the base. */
  public static final String HEAP_PEAK = "heap_peak_bytes";

  /** The longest pause for the collector until the close, in seconds. */
  public static final String GC_MAX = "gc_max_pause_s";

  private Metric() {}

  /** Returns the wall seconds of a phase. */
  public static String wall(String phase) {
    return phase + "_s";
  }

  /** Returns the CPU seconds of all threads in a phase. */
  public static String cpu(String phase) {
    return phase + "_cpu_s";
  }

  /** Returns all names. */
  public static List<String> all() {
    List<String> names = new ArrayList<>();
    for (String phase : PHASES) {
      names.add(wall(phase));
      names.add(cpu(phase));
    }
    names.addAll(List.of(PUT_WRITTEN, DISK, PEAK_RSS, HEAP_BASE, HEAP_PEAK, GC_MAX));
    return List.copyOf(names);
  }
}
