package io.github.coppicedb.testkit;

import io.github.coppicedb.StorageFailureException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts the calls of one {@link SimulatedStorage} and lets chosen ones fail. Calls are numbered
 * from 1, from the moment a fault is planned. Thread-safe.
 */
public final class FaultPlan {
  private final Map<StorageCall, Long> counts = new EnumMap<>(StorageCall.class);
  private final List<Fault> faults = new ArrayList<>();

  /** One planned fault; {@code left} counts down the calls that still succeed. */
  private static final class Fault {
    private final Set<StorageCall> kinds;
    private final boolean forever;
    private long left;

    Fault(Set<StorageCall> kinds, long nth, boolean forever) {
      this.kinds = kinds;
      this.left = nth;
      this.forever = forever;
    }

    boolean strikes(StorageCall kind) {
      if (!kinds.contains(kind)) {
        return false;
      }
      left--;
      return forever ? left <= 0 : left == 0;
    }
  }

  FaultPlan() {}

  /** Lets the n-th call from now on fail, once; of all kinds, or of the given ones. */
  public void failOnce(long nth, StorageCall... kinds) {
    add(nth, kinds, false);
  }

  /** Lets the n-th call from now on, and every later one, fail; of all kinds, or of the given. */
  public void failFrom(long nth, StorageCall... kinds) {
    add(nth, kinds, true);
  }

  private synchronized void add(long nth, StorageCall[] kinds, boolean forever) {
    if (nth < 1) {
      throw new IllegalArgumentException("calls are numbered from 1, not " + nth);
    }
    Set<StorageCall> set = EnumSet.noneOf(StorageCall.class);
    set.addAll(kinds.length == 0 ? EnumSet.allOf(StorageCall.class) : List.of(kinds));
    faults.add(new Fault(set, nth, forever));
  }

  /** Takes all planned faults back. */
  public synchronized void heal() {
    faults.clear();
  }

  /** Returns how many calls of a kind were made, failed ones too. */
  public synchronized long calls(StorageCall kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** Returns how many calls of all kinds were made. */
  public synchronized long calls() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Counts a call and says whether it is to fail. */
  synchronized boolean strikes(StorageCall kind) {
    counts.merge(kind, 1L, Long::sum);
    boolean strikes = false;
    for (Fault fault : faults) {
      strikes |= fault.strikes(kind);
    }
    return strikes;
  }

  /** Counts a call and throws if it is to fail. */
  void call(StorageCall kind, String name) {
    if (strikes(kind)) {
      throw failure(kind, name);
    }
  }

  static StorageFailureException failure(StorageCall kind, String name) {
    String message = "injected failure: %s of %s".formatted(kind, name);
    return new StorageFailureException(message, new IOException("injected"));
  }
}
