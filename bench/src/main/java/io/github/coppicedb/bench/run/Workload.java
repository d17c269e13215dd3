package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.engine.EngineSpec.InC;
import io.github.coppicedb.bench.engine.EngineSpec.InJava;
import io.github.coppicedb.bench.engine.Engines;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/** What is put in which order; the phases after the puts are the same for all. */
public enum Workload {
  /** All keys in random order, in one transaction. */
  LOAD,
  /** As load, and then one ordered scan inside the transaction; both count as the put phase. */
  PUTSCAN,
  /** As load, but each put is followed by a get of a random earlier key. */
  PUTGET,
  /** One put a transaction; commits are not forced. */
  SINGLE,
  /** As load, in ascending order. */
  ASCENDING,
  /** As load, in descending order. */
  DESCENDING,
  /** All keys are there already, and are put once more, in one transaction. */
  AGAIN,
  /** Half of the keys are there; the other half is put while another thread gets the first. */
  GETLOAD,
  /** As load, in a heap of {@link #SMALL_HEAP}; the keys come from the file one by one. */
  HEAP;

  /** The -Xmx of {@link #HEAP}. */
  public static final String SMALL_HEAP = "256m";

  /** Engines in Java that one thread may read while another writes. */
  private static final Set<String> CONCURRENT =
      Set.of(Engines.COPPICE, "rocksdb-skiplist", "mvstore", "skiplist");

  /** Returns the name that options and reports use. */
  public String workloadName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether commits wait for the device. */
  boolean isForced() {
    return this != SINGLE && this != GETLOAD;
  }

  /** Returns whether an engine is run with it; others cannot, or it would say nothing new. */
  public boolean suits(EngineSpec engine) {
    return switch (engine) {
      case InC c -> suits(c);
      case InJava java ->
          switch (this) {
            case GETLOAD -> CONCURRENT.contains(java.name());
            // Its vectors find nothing between puts but by sorting themselves each time.
            case PUTGET -> !java.name().equals("rocksdb");
            default -> true;
          };
    };
  }

  private boolean suits(InC lmdb) {
    return switch (this) {
      case LOAD -> true;
      case PUTSCAN -> lmdb.run() == 0;
      // Not forced, so that the flags of one run hold for all.
      case SINGLE, GETLOAD -> lmdb.unsynced() && lmdb.run() == 0 && !lmdb.inPieces();
      case PUTGET, ASCENDING, DESCENDING, AGAIN -> lmdb.run() == 0 && !lmdb.inPieces();
      case HEAP -> false;
    };
  }

  /**
   * Returns the workload of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Workload named(String name) {
    for (Workload workload : values()) {
      if (workload.workloadName().equals(name)) {
        return workload;
      }
    }
    throw new IllegalArgumentException(
        "no workload '%s'; there are %s"
            .formatted(
                name,
                String.join(", ", Arrays.stream(values()).map(Workload::workloadName).toList())));
  }
}
