package io.github.coppicedb.bench.run;

import java.util.Arrays;
import java.util.Locale;

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
  AGAIN;

  /** Returns the name that options and reports use. */
  public String workloadName() {
    return name().toLowerCase(Locale.ROOT);
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
