package io.github.coppicedb.lsm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The epochs that have ended and that an open transaction may still have to be validated against:
 * those from the oldest one on that a transaction holds.
 *
 * <p>Bounds the heap that all but the newest one take: beyond the bound first the values are
 * forgotten, since only keys can meet, from the oldest epoch on; if the keys alone take more than
 * the bound, the oldest epochs are forgotten whole. Then a transaction that began before the end of
 * one of these cannot commit. The newest one stays whole, so no single commit makes others fail.
 *
 * <p>Thread-safe. What epochs hold is changed under the commit lock, the list and the holders under
 * the monitor.
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
  List<Version> add(Epoch epoch) {
    List<Version> free = new ArrayList<>();
    List<Epoch> older = olderThan(epoch, free);
    long bytes = older.stream().mapToLong(Epoch::heapBytes).sum();
    for (Epoch oldest : older) {
      if (bytes > maxBytes) {
        bytes -= oldest.heapBytes();
        oldest.forgetValues();
        bytes += oldest.heapBytes();
      }
    }
    for (Epoch oldest : older) {
      long freed = oldest.heapBytes();
      if (bytes > maxBytes && freed > 0) {
        bytes -= freed;
        forget(oldest, free);
      }
    }
    return free;
  }

  /** Adds an epoch; returns those before it that somebody may need, oldest first. */
  private synchronized List<Epoch> olderThan(Epoch newest, List<Version> free) {
    List<Epoch> older = List.copyOf(past);
    past.addLast(newest);
    letGo(free);
    return past.isEmpty() ? List.of() : older.subList(older.size() + 1 - past.size(), older.size());
  }

  private synchronized void forget(Epoch epoch, List<Version> free) {
    addTo(free, epoch.forget());
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
