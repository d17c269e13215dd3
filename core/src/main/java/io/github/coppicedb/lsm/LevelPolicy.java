package io.github.coppicedb.lsm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides what lies where in the levels and which merge is due. Pure functions of the levels.
 *
 * <p>A merge is due when level 0 has too many runs, or a level has outgrown the share of the next
 * one that the ratio gives it: then every merge still has many rows for each page that it rewrites.
 * Runs that are small beside the level below are not merged into it yet: those of about one size
 * become one run of level 0, as in a tiered tree, until they have gathered half of the level's
 * bytes. So an entry is rewritten a few times only, and readers meet few runs. The ratio holds for
 * levels of any size, or small flushes would pile up small levels. Runs that overlap nothing become
 * trees of a deep level as they are; if they are small they are joined there.
 */
final class LevelPolicy {
  private static final int SMALL_TREES = 8;

  /** Runs of level 0 go down once the level below has at most so many times their bytes. */
  private static final int LARGE_LEVEL = 2;

  /** So many times the runs that make a merge due go down whatever their bytes are. */
  private static final int MANY_RUNS = 3;

  /** The target of a merge that makes one run of level 0 of several. */
  private static final int LEVEL_0 = -1;

  private final Tuning tuning;

  LevelPolicy(Tuning tuning) {
    this.tuning = tuning;
  }

  /**
   * A merge: runs, newest first, and the trees of the target level that they overlap.
   *
   * @param sources runs to merge, newest first; they leave their level; none when a level is merged
   *     in itself
   * @param overlapped trees of the target level to merge with them, in order
   * @param target the level the result goes to, an index into {@link Levels#deeper}, or -1: in the
   *     place of the sources, which are neighbours in level 0
   * @param bottom whether nothing older than the target can be hidden by what is merged
   * @param insertLevel whether a new level is made above the one at the target's index first
   */
  record Plan(
      List<StoredRun> sources,
      List<StoredTree> overlapped,
      int target,
      boolean bottom,
      boolean insertLevel) {
    /** Returns whether the only source can move down as it is. */
    boolean isMove() {
      return sources.size() == 1 && overlapped.isEmpty();
    }

    /** Returns whether the result stays in level 0. */
    boolean isJoin() {
      return target == LEVEL_0;
    }
  }

  /**
   * Returns the most urgent merge that can begin, or null when there is none.
   *
   * @param claims what is under way
   * @param all whether whatever lies above the base is due
   */
  @Nullable Plan pick(Levels levels, MergeClaims claims, boolean all) {
    if (claims.join() == null) {
      Plan plan = pickLevel0(levels, claims, all);
      if (plan != null) {
        return plan;
      }
    }
    return claims.down() == null ? pickDeeper(levels) : null;
  }

  /**
   * Returns whether level 0 has no place for one more run. Then something can be merged in it, or
   * is: what goes down takes at most half of the places, and the others can be joined meanwhile.
   */
  boolean isFull(Levels levels) {
    return levels.level0().size() >= tuning.level0Bound();
  }

  private @Nullable Plan pickLevel0(Levels levels, MergeClaims claims, boolean all) {
    List<StoredRun> free = claims.free(levels.level0());
    if (free.size() >= (all ? 1 : tuning.level0Runs())) {
      boolean due = all || free.size() >= MANY_RUNS * tuning.level0Runs();
      if (claims.down() == null && (due || !isSmallForNext(levels))) {
        return mergeLevel0(levels);
      }
      Plan joined = joinRuns(free);
      if (joined != null) {
        return joined;
      }
    }
    return isFull(levels) && free.size() > 1 ? joinCheapest(free) : null;
  }

  private @Nullable Plan pickDeeper(Levels levels) {
    for (int i = 0; i < levels.deeper().size() - 1; i++) {
      StoredRun level = levels.deeper().get(i);
      if (!level.isEmpty() && level.bytes() > capacity(levels, i)) {
        return mergeOneTree(levels, i);
      }
    }
    return joinSmallTrees(levels);
  }

  /** Returns the merge of everything into the base, or null when nothing is stored. */
  @Nullable Plan mergeAll(Levels levels) {
    List<StoredRun> runs = levels.runs();
    if (runs.isEmpty()) {
      return null;
    }
    int base = levels.deeper().size() - 1;
    int last = runs.size() - 1;
    // The oldest run stands as overlapped trees, so that it is rewritten also when it is alone.
    return new Plan(runs.subList(0, last), runs.get(last).trees(), base, true, false);
  }

  /** Returns levels with new runs, newest first, in their places: at the top while merges run. */
  Levels placeAll(Levels levels, List<StoredRun> runs, MergeClaims claims) {
    Levels next = levels;
    for (StoredRun run : runs.reversed()) {
      next = claims.isEmpty() ? place(next, run) : next.withNewest(run);
    }
    return next;
  }

  /** Returns the levels with a new run in the deepest place that its keys allow. */
  Levels place(Levels levels, StoredRun run) {
    if (run.isEmpty()) {
      return levels;
    }
    if (levels.level0().stream().anyMatch(other -> other.run().overlaps(run.run()))) {
      return levels.withNewest(run);
    }
    int target = -1;
    for (int i = 0; i < levels.deeper().size(); i++) {
      if (levels.deeper().get(i).run().overlaps(run.run())) {
        break;
      }
      target = i;
    }
    if (target < 0) {
      return levels.withNewest(run);
    }
    return levels.withDeeper(target, joined(levels.deeper().get(target).trees(), run.trees()));
  }

  /** Returns the levels after a merge: sources and overlapped trees gone, the results in. */
  Levels apply(Levels levels, Plan plan, List<StoredTree> results) {
    Set<StoredTree> gone = new HashSet<>(plan.overlapped());
    plan.sources().forEach(run -> gone.addAll(run.trees()));
    List<StoredRun> level0 = new ArrayList<>();
    levels.level0().forEach(run -> level0.add(without(run, gone)));
    if (plan.target() == LEVEL_0) {
      level0.set(levels.level0().indexOf(plan.sources().getFirst()), StoredRun.of(results));
      return levels.withLevel0(level0);
    }
    List<StoredRun> deeper = new ArrayList<>();
    levels.deeper().forEach(run -> deeper.add(without(run, gone)));
    if (plan.insertLevel()) {
      deeper.add(plan.target(), StoredRun.of(List.of()));
    }
    StoredRun target = deeper.get(plan.target());
    deeper.set(plan.target(), joined(target.trees(), results));
    while (deeper.size() > 1 && deeper.getFirst().isEmpty()) {
      deeper.removeFirst();
    }
    return new Levels(level0, deeper).withLevel0(level0);
  }

  /**
   * Returns whether to wait for more would gain nothing: all is one run that overlaps no other, and
   * so is written once, whenever that is.
   */
  boolean needsNoMerge(Levels levels, List<Run> runs) {
    return runs.size() == 1 && hidesNothing(levels, runs);
  }

  /** Returns whether no stored key range meets that of the run: it hides nothing. */
  boolean hidesNothing(Levels levels, List<Run> runs) {
    for (Run run : runs) {
      if (levels.runs().stream().anyMatch(other -> other.run().overlaps(run))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether level 0 should rather gather more: to merge it down would rewrite a level that
   * is much larger, but not as much as to make one between worthwhile.
   */
  private boolean isSmallForNext(Levels levels) {
    return levels.deeper().getFirst().bytes() > LARGE_LEVEL * bytes(levels.level0())
        && !needsLevelBetween(levels);
  }

  private boolean needsLevelBetween(Levels levels) {
    long most = bytes(levels.level0()) * tuning.levelRatio() * tuning.level0Runs();
    return levels.deeper().getFirst().bytes() > most;
  }

  private static long bytes(List<StoredRun> runs) {
    return runs.stream().mapToLong(StoredRun::bytes).sum();
  }

  /**
   * Returns the merge of the newest neighbours in level 0 that are of about one size, or null: so
   * while level 0 gathers, a get looks into few runs, and an entry is rewritten a few times only.
   */
  private @Nullable Plan joinRuns(List<StoredRun> runs) {
    int least = tuning.level0Runs();
    for (int from = 0; from + least <= runs.size(); from++) {
      int to = from;
      long sum = 0;
      long largest = 0;
      while (to < runs.size() && (to < from + least || fits(runs.get(to).bytes(), largest, sum))) {
        sum += runs.get(to).bytes();
        largest = Math.max(largest, runs.get(to).bytes());
        to++;
      }
      if (2 * largest <= sum) {
        return new Plan(runs.subList(from, to), List.of(), LEVEL_0, false, false);
      }
    }
    return null;
  }

  /** Returns the merge of the neighbours in level 0 that have the fewest bytes. */
  private Plan joinCheapest(List<StoredRun> runs) {
    int count = Math.min(runs.size(), Math.max(2, tuning.level0Runs()));
    List<StoredRun> best = runs.subList(0, count);
    for (int from = 1; from + count <= runs.size(); from++) {
      List<StoredRun> row = runs.subList(from, from + count);
      if (bytes(row) < bytes(best)) {
        best = row;
      }
    }
    return new Plan(best, List.of(), LEVEL_0, false, false);
  }

  private static boolean fits(long bytes, long largest, long sum) {
    return 2 * Math.max(bytes, largest) <= sum + bytes;
  }

  /** Takes the oldest runs down, few enough that others find a place meanwhile. */
  private Plan mergeLevel0(Levels levels) {
    int runs = levels.level0().size();
    int most = tuning.level0Bound() / 2;
    List<StoredRun> sources = levels.level0().subList(Math.max(0, runs - most), runs);
    StoredRun first = levels.deeper().getFirst();
    boolean insert = needsLevelBetween(levels);
    List<StoredTree> overlapped = insert ? List.of() : within(first, sources);
    return new Plan(
        sources, overlapped, 0, isBottom(levels, insert ? 0 : 1, sources, overlapped), insert);
  }

  /** Moves the tree that meets the fewest bytes below it one level down. */
  private Plan mergeOneTree(Levels levels, int level) {
    StoredRun below = levels.deeper().get(level + 1);
    StoredRun best = null;
    List<StoredTree> bestOverlap = List.of();
    double bestCost = Double.MAX_VALUE;
    for (StoredTree tree : levels.deeper().get(level).trees()) {
      StoredRun source = StoredRun.of(List.of(tree));
      List<StoredTree> overlap = within(below, List.of(source));
      double cost = (double) StoredRun.of(overlap).bytes() / Math.max(1, tree.fileBytes());
      if (cost < bestCost) {
        best = source;
        bestOverlap = overlap;
        bestCost = cost;
      }
    }
    if (best == null) {
      throw new IllegalStateException("a level over its capacity has no tree");
    }
    List<StoredRun> sources = List.of(best);
    return new Plan(
        sources, bestOverlap, level + 1, isBottom(levels, level + 2, sources, bestOverlap), false);
  }

  private long capacity(Levels levels, int level) {
    return levels.deeper().get(level + 1).bytes() / tuning.levelRatio();
  }

  /**
   * Returns the merge of neighbours in one level that make one tree together, or null. They are of
   * about one size, so that an entry is rewritten a few times only until its tree has full size.
   */
  private @Nullable Plan joinSmallTrees(Levels levels) {
    for (int i = 0; i < levels.deeper().size(); i++) {
      List<StoredTree> trees = levels.deeper().get(i).trees();
      for (int from = 0; from + SMALL_TREES <= trees.size(); from++) {
        List<StoredTree> row = trees.subList(from, from + SMALL_TREES);
        if (areSmall(row)) {
          return new Plan(List.of(), row, i, isBottom(levels, i + 1, List.of(), row), false);
        }
      }
    }
    return null;
  }

  private boolean areSmall(List<StoredTree> row) {
    long sum = 0;
    long largest = 0;
    for (StoredTree tree : row) {
      sum += tree.fileBytes();
      largest = Math.max(largest, tree.fileBytes());
    }
    return sum <= tuning.treeBytes() && 2 * largest <= sum;
  }

  private static boolean isBottom(
      Levels levels, int from, List<StoredRun> sources, List<StoredTree> overlapped) {
    List<StoredRun> all = new ArrayList<>(sources);
    all.add(StoredRun.of(overlapped));
    return levels.deeper().stream().skip(from).allMatch(level -> within(level, all).isEmpty());
  }

  /**
   * Returns the trees of a level that meet the range from the least to the greatest key of runs.
   */
  private static List<StoredTree> within(StoredRun level, List<StoredRun> runs) {
    List<StoredTree> hull = runs.stream().flatMap(run -> run.trees().stream()).toList();
    if (hull.isEmpty()) {
      return List.of();
    }
    byte[] low =
        hull.stream().map(t -> t.tree().lowKey()).min(Arrays::compareUnsigned).orElseThrow();
    boolean open = hull.stream().anyMatch(t -> t.tree().highKey() == null);
    byte[] high =
        open
            ? null
            : hull.stream()
                .map(t -> Objects.requireNonNull(t.tree().highKey()))
                .max(Arrays::compareUnsigned)
                .orElseThrow();
    return level.trees().stream()
        .filter(t -> !Run.isBelow(t.tree().highKey(), low) && !Run.isBelow(high, t.tree().lowKey()))
        .toList();
  }

  private static StoredRun without(StoredRun run, Set<StoredTree> gone) {
    if (run.trees().stream().noneMatch(gone::contains)) {
      return run;
    }
    return StoredRun.of(run.trees().stream().filter(tree -> !gone.contains(tree)).toList());
  }

  private static StoredRun joined(List<StoredTree> some, List<StoredTree> more) {
    if (more.isEmpty() || some.isEmpty()) {
      return StoredRun.of(some.isEmpty() ? more : some);
    }
    List<StoredTree> all = new ArrayList<>(some);
    all.addAll(more);
    all.sort((a, b) -> Arrays.compareUnsigned(a.tree().lowKey(), b.tree().lowKey()));
    return StoredRun.of(all);
  }
}
