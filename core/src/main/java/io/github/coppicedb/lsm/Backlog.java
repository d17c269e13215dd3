package io.github.coppicedb.lsm;

import java.util.List;

/**
 * What waits to be packed, stored and merged at one moment.
 *
 * @param tops sealed tops that are not packed
 * @param heapBytes heap of all sealed layers
 * @param logBytes bytes of log that recovery would have to read for them
 * @param runs runs of level 0, and of large transactions that have no place there yet
 * @param sealedAt when the oldest layer that is not in a file was sealed, as {@link
 *     System#nanoTime}; of no meaning when there is none
 */
record Backlog(int tops, long heapBytes, long logBytes, int runs, long sealedAt) {
  /** Nothing waits. */
  static final Backlog NONE = new Backlog(0, 0, 0, 0, 0);

  /** So many times the log that makes a flush due fill the backlog. */
  private static final int LOG_FACTOR = 4;

  static Backlog of(List<ShelfItem> items, Levels levels) {
    int tops = 0;
    long heap = 0;
    long log = 0;
    int runs = levels.level0().size();
    long sealedAt = 0;
    for (ShelfItem item : items) {
      tops += item.isTop() ? 1 : 0;
      heap += item.heapBytes();
      log += item.logBytes();
      runs += item.isFiles() ? 1 : 0;
      if (!item.isFiles()) {
        sealedAt = item.span().sealedAt();
      }
    }
    return new Backlog(tops, heap, log, runs, sealedAt);
  }

  /** Returns whether something is sealed that is in no file. */
  boolean hasLayers() {
    return tops > 0 || heapBytes > 0 || logBytes > 0;
  }

  /**
   * Returns how full the fullest part is: 1 is what it may have. Runs alone never fill it: there
   * are no more than the bound, and what waits for a place takes memory.
   */
  double fill(Tuning tuning) {
    double heap = (double) heapBytes / tuning.memoryBudget();
    double log = (double) logBytes / LOG_FACTOR / tuning.unstoredLogBytes();
    double level0 = Math.min(1, (double) runs / tuning.level0Bound());
    return Math.max(Math.max(heap, log), level0);
  }
}
