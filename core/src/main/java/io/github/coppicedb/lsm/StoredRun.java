package io.github.coppicedb.lsm;

import java.util.List;

/**
 * Tree files whose key ranges ascend without overlapping.
 *
 * @param trees the files in the order of their keys
 * @param run the same trees as a layer
 */
public record StoredRun(List<StoredTree> trees, Run run) {
  /** Makes a run of files in the order of their keys. */
  public static StoredRun of(List<StoredTree> trees) {
    return new StoredRun(
        List.copyOf(trees), new Run(trees.stream().map(StoredTree::tree).toList()));
  }

  /** Returns the sum of the files' lengths. */
  public long bytes() {
    return trees.stream().mapToLong(StoredTree::fileBytes).sum();
  }

  /** Returns the number of entries, tombstones included. */
  public long entries() {
    return trees.stream().mapToLong(stored -> stored.tree().entries()).sum();
  }

  /** Returns the number of tombstones. */
  public long tombstones() {
    return trees.stream().mapToLong(stored -> stored.tree().tombstones()).sum();
  }

  /** Returns whether there is no file. */
  public boolean isEmpty() {
    return trees.isEmpty();
  }
}
