package io.github.coppicedb.lsm;

import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.tree.TreeSettings;

/**
 * Sizes that users need not know. Tests make them tiny, so that seals, merges and levels come after
 * a few keys.
 *
 * @param topBytes a top is sealed before it grows beyond this
 * @param memoryBudget heap for sealed tops and heap trees, half of it for open transactions
 * @param treeBytes a tree file is closed when it has reached this
 * @param logBytes a log file is closed when it has reached this
 * @param unstoredLogBytes log that recovery may have to read before it is stored
 * @param inlineValueBytes longer values go to files of their own
 * @param fanIn trees of one rank that are merged together in memory
 * @param level0Runs runs of level 0 that make a merge due
 * @param levelRatio how much larger a level is than the one above it
 * @param sealedTops sealed tops that may wait before writers help
 * @param tree sizes inside a tree
 */
public record Tuning(
    int topBytes,
    long memoryBudget,
    long treeBytes,
    long logBytes,
    long unstoredLogBytes,
    int inlineValueBytes,
    int fanIn,
    int level0Runs,
    int levelRatio,
    int sealedTops,
    TreeSettings tree) {
  // With the header of its array a top just fits a region of the smallest heaps of G1.
  private static final int TOP = (1 << 20) - 64;
  private static final long TREE = 32L << 20;
  private static final long LOG = 32L << 20;
  private static final long UNSTORED_LOG = 64L << 20;
  private static final int INLINE = 1 << 20;
  private static final int BOUND_FACTOR = 4;

  /** Returns the sizes for a user's database. */
  public static Tuning of(DatabaseOptions options) {
    long budget = options.memoryBudget();
    int top = Math.clamp(budget / 32, 1 << 14, TOP);
    return new Tuning(
        top, budget, TREE, LOG, UNSTORED_LOG, INLINE, 8, 4, 10, 6, TreeSettings.DEFAULT);
  }

  /** Returns how many runs level 0 may have before flushes wait until some are merged. */
  int level0Bound() {
    return BOUND_FACTOR * level0Runs;
  }

  /** Returns sizes so tiny that every mechanism comes into play after a few keys. */
  public static Tuning tiny() {
    return new Tuning(
        1 << 9, 1 << 13, 1 << 11, 1 << 12, 1 << 14, 1 << 11, 3, 2, 3, 2, new TreeSettings(128, 10));
  }
}
