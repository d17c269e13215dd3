package io.github.coppicedb.lsm;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Bounds the heap that past epochs take while old transactions hold them: beyond the bound the
 * oldest are forgotten, and transactions that would need them cannot commit. Under the commit lock.
 */
final class EpochHistory {
  private final long maxBytes;
  private final Deque<WeakReference<Epoch>> past = new ArrayDeque<>();

  EpochHistory(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Takes note of an epoch that has ended. */
  void add(Epoch epoch) {
    past.addLast(new WeakReference<>(epoch));
    past.removeIf(reference -> reference.get() == null);
    long bytes = bytes();
    while (bytes > maxBytes) {
      Epoch oldest = past.removeFirst().get();
      if (oldest != null) {
        bytes -= oldest.heapBytes();
        oldest.forget();
      }
    }
  }

  private long bytes() {
    long sum = 0;
    for (WeakReference<Epoch> reference : past) {
      Epoch epoch = reference.get();
      sum += epoch == null ? 0 : epoch.heapBytes();
    }
    return sum;
  }
}
