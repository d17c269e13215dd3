package io.github.coppicedb.lsm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The epochs that have ended and that an open transaction may still have to be validated against:
 * those from the oldest one on that a transaction holds. Bounds the heap that they take: beyond the
 * bound the oldest are forgotten, and transactions that would need them cannot commit. Thread-safe.
 */
final class EpochHistory {
  private final long maxBytes;
  private final Deque<Epoch> past = new ArrayDeque<>();

  EpochHistory(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Lets a transaction hold an epoch; false if that has ended and was let go. */
  synchronized boolean hold(Epoch epoch) {
    if (epoch.isOver()) {
      return false;
    }
    epoch.addHolder();
    return true;
  }

  /** Ends a transaction's hold; returns versions that are needed no more, to be released. */
  synchronized List<Version> release(Epoch epoch) {
    epoch.removeHolder();
    List<Version> free = new ArrayList<>();
    letGo(free);
    return free;
  }

  /**
   * Takes note of an epoch that has ended. Under the commit lock.
   *
   * @return versions that are needed no more, to be released
   */
  synchronized List<Version> add(Epoch epoch) {
    past.addLast(epoch);
    List<Version> free = new ArrayList<>();
    letGo(free);
    long bytes = past.stream().mapToLong(Epoch::heapBytes).sum();
    for (Epoch oldest : past) {
      if (bytes > maxBytes) {
        bytes -= oldest.heapBytes();
        addTo(free, oldest.forget());
      }
    }
    return free;
  }

  private void letGo(List<Version> free) {
    while (!past.isEmpty() && !past.getFirst().isHeld()) {
      addTo(free, past.removeFirst().end());
    }
  }

  private static void addTo(List<Version> versions, @Nullable Version version) {
    if (version != null) {
      versions.add(version);
    }
  }
}
