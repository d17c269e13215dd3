package io.github.coppicedb.lsm;

import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.MaskedRanges;
import io.github.coppicedb.tree.PackedTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Packed trees whose key ranges ascend without overlapping, read as one sorted set.
 *
 * <p>Invariant: for neighbours a, b: a.highKey ≤ b.lowKey; both ends take masked ranges in.
 */
public final class Run implements Layer {
  /** A run without trees. */
  public static final Run EMPTY = new Run(List.of());

  private final PackedTree[] trees;
  private final byte[][] lowKeys;
  private final boolean masked;

  /** Makes a run of trees in the order of their keys. */
  public Run(List<PackedTree> trees) {
    this.trees = trees.toArray(PackedTree[]::new);
    this.lowKeys = trees.stream().map(PackedTree::lowKey).toArray(byte[][]::new);
    this.masked = trees.stream().anyMatch(tree -> !tree.masks().isEmpty());
  }

  /**
   * Returns runs, newest first, that together hold what some others do: neighbours that do not
   * overlap become one. Between the two there is nothing that is newer than one and older than the
   * other, so it does not matter which is which.
   */
  static List<Run> joined(List<Run> runs) {
    List<Run> joined = new ArrayList<>();
    for (Run run : runs) {
      if (joined.isEmpty() || joined.getLast().overlaps(run)) {
        joined.add(run);
      } else {
        joined.set(joined.size() - 1, joined.getLast().with(run));
      }
    }
    return joined;
  }

  /** Returns this run and one that does not overlap it as one. */
  private Run with(Run other) {
    List<PackedTree> all = new ArrayList<>(trees());
    all.addAll(other.trees());
    all.removeIf(tree -> tree.entries() == 0 && tree.masks().isEmpty());
    all.sort((a, b) -> Arrays.compareUnsigned(a.lowKey(), b.lowKey()));
    return new Run(all);
  }

  /** Returns whether a key may be in both, masked ranges taken in. */
  boolean overlaps(Run other) {
    int i = 0;
    int j = 0;
    while (i < trees.length && j < other.trees.length) {
      if (isBelow(trees[i].highKey(), other.lowKeys[j])) {
        i++;
      } else if (isBelow(other.trees[j].highKey(), lowKeys[i])) {
        j++;
      } else {
        return true;
      }
    }
    return false;
  }

  /** Returns whether an upper end, which is open if it is null, leaves out a key. */
  static boolean isBelow(byte @Nullable [] high, byte[] key) {
    return high != null && Arrays.compareUnsigned(high, key) <= 0;
  }

  @Override
  public boolean find(byte[] key, int keyLength, long hash, EntryValue out) {
    if (trees.length == 1) {
      // Its filter says more than its first key.
      return trees[0].find(key, keyLength, hash, out);
    }
    int index = indexOf(key, keyLength);
    return index >= 0 && trees[index].find(key, keyLength, hash, out);
  }

  @Override
  public boolean hides(byte[] key, int keyLength) {
    if (!masked) {
      return false;
    }
    int index = indexOf(key, keyLength);
    return index >= 0 && trees[index].masks().covers(key, keyLength);
  }

  @Override
  public MaskedRanges masks() {
    MaskedRanges all = MaskedRanges.NONE;
    if (masked) {
      for (PackedTree tree : trees) {
        all = all.union(tree.masks());
      }
    }
    return all;
  }

  @Override
  public EntryCursor cursor() {
    return new RunCursor(this);
  }

  @Override
  public boolean refersTo(long valueFile) {
    for (PackedTree tree : trees) {
      if (tree.refersTo(valueFile)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public List<PackedTree> trees() {
    return List.of(trees);
  }

  /** Returns the number of trees. */
  int size() {
    return trees.length;
  }

  /** Returns a tree by its place. */
  PackedTree tree(int index) {
    return trees[index];
  }

  /** Returns the place of the last tree whose low key is at most the given key, or -1. */
  int indexOf(byte[] key, int keyLength) {
    int low = 0;
    int high = lowKeys.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      byte[] start = lowKeys[middle];
      if (Arrays.compareUnsigned(start, 0, start.length, key, 0, keyLength) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }
}
