package io.github.coppicedb.lsm;

import java.util.ArrayList;
import java.util.List;

/**
 * The stored part of a version. Level 0 holds runs that may overlap each other, newest first; every
 * deeper level is one run, older than the levels above it. The deepest one is the base.
 *
 * @param level0 runs of level 0, newest first
 * @param deeper levels 1 and up, one run each; at least the base
 */
public record Levels(List<StoredRun> level0, List<StoredRun> deeper) {
  /** Nothing stored: an empty level 0 and an empty base. */
  public static final Levels NONE = new Levels(List.of(), List.of(StoredRun.of(List.of())));

  /** Copies the lists. */
  public Levels {
    level0 = List.copyOf(level0);
    deeper = List.copyOf(deeper);
  }

  /** Returns all runs that have trees, newest first. */
  public List<StoredRun> runs() {
    List<StoredRun> runs = new ArrayList<>(level0);
    runs.addAll(deeper);
    runs.removeIf(StoredRun::isEmpty);
    return runs;
  }

  /** Returns all trees. */
  public List<StoredTree> trees() {
    return runs().stream().flatMap(run -> run.trees().stream()).toList();
  }

  /** Returns a copy with a new newest run in level 0. */
  public Levels withNewest(StoredRun run) {
    if (run.isEmpty()) {
      return this;
    }
    List<StoredRun> runs = new ArrayList<>();
    runs.add(run);
    runs.addAll(level0);
    return new Levels(runs, deeper);
  }

  /** Returns a copy with other runs in place of one level; level 0 takes many. */
  public Levels withDeeper(int index, StoredRun run) {
    List<StoredRun> runs = new ArrayList<>(deeper);
    runs.set(index, run);
    return new Levels(level0, runs);
  }

  /** Returns a copy with other runs in level 0. */
  public Levels withLevel0(List<StoredRun> runs) {
    return new Levels(runs.stream().filter(run -> !run.isEmpty()).toList(), deeper);
  }

  /** Returns the base, the deepest level. */
  public StoredRun base() {
    return deeper.getLast();
  }

  /** Returns the sum of all files' lengths. */
  public long bytes() {
    return runs().stream().mapToLong(StoredRun::bytes).sum();
  }
}
