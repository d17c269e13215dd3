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

  /** Keys of the cold run, the first in its process. */
  public static final String COLD_KEYS = "cold_keys";

  /** Nanoseconds a key of the put phase of the cold run. */
  public static final String COLD_PUT = "cold_put_ns";

  /** CPU nanoseconds a key, all threads, of the put phase of the cold run. */
  public static final String COLD_PUT_CPU = "cold_put_cpu_ns";

  /** The longest pause for the collector in the cold run, in seconds. */
  public static final String COLD_GC_MAX = "cold_gc_max_pause_s";

  /** Seconds that compilers took from the first put to the end of the drain. */
  public static final String COMPILE = "compile_s";

  /** The most seconds that 1,024 puts one after the other took. */
  public static final String PUT_STALL = "put_stall_s";

  /** Gets a second of keys that are there: before a load, while it runs, and after it. */
  public static final String GETS_BEFORE = "gets_before_per_s";

  /** See {@link #GETS_BEFORE}. */
  public static final String GETS_IN_LOAD = "gets_in_load_per_s";

  /** See {@link #GETS_BEFORE}. */
  public static final String GETS_AFTER = "gets_after_per_s";

  /** Heap at the beginning: the keys and probes. */
  public static final String HEAP_BASE = "heap_base_bytes";

  /** The most heap used, garbage among it, until the close, less the base. */
  public static final String HEAP_PEAK = "heap_peak_bytes";

  /** The most heap in use after a collection, until the close, less the base. */
  public static final String HEAP_LIVE = "heap_live_bytes";

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
    names.addAll(List.of(COLD_KEYS, COLD_PUT, COLD_PUT_CPU, COLD_GC_MAX, COMPILE, PUT_STALL));
    names.addAll(List.of(GETS_BEFORE, GETS_IN_LOAD, GETS_AFTER));
    names.addAll(List.of(PUT_WRITTEN, DISK, PEAK_RSS, HEAP_BASE, HEAP_PEAK, HEAP_LIVE, GC_MAX));
    return List.copyOf(names);
  }
}
