package io.github.coppicedb.lsm;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The merges of levels that are under way: at most one that takes trees down, or joins trees inside
 * a deep level, and beside it one that joins new runs inside level 0. They never have a tree in
 * common: while one takes runs of level 0 down, only newer runs are joined, and while runs are
 * joined nothing of level 0 begins to go down. So the order by age stays, whichever ends first.
 *
 * @param down the merge that writes to a deep level, or null
 * @param join the merge inside level 0, or null
 */
record MergeClaims(LevelPolicy.@Nullable Plan down, LevelPolicy.@Nullable Plan join) {
  /** Nothing is under way. */
  static final MergeClaims NONE = new MergeClaims(null, null);

  boolean isEmpty() {
    return down == null && join == null;
  }

  /** Returns the claims with one more merge. */
  MergeClaims with(LevelPolicy.Plan plan) {
    return plan.isJoin() ? new MergeClaims(down, plan) : new MergeClaims(plan, join);
  }

  /** Returns the claims without a merge that has ended. */
  MergeClaims without(LevelPolicy.Plan plan) {
    return plan.isJoin() ? new MergeClaims(down, null) : new MergeClaims(null, join);
  }

  /** Returns the runs of level 0 that no merge takes down, newest first. */
  List<StoredRun> free(List<StoredRun> level0) {
    int taken = 0;
    if (down != null) {
      List<StoredRun> sources = down.sources();
      taken = (int) level0.stream().filter(sources::contains).count();
    }
    // The ones that go down are the oldest.
    return level0.subList(0, level0.size() - taken);
  }
}
