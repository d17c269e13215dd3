package io.github.coppicedb.tree;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.page.PageKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Merges runs (each a list of trees with disjoint key ranges in ascending order) into new trees, in
 * steps of bounded work. Of entries with the same key the one of the newest run stays. Entries that
 * a newer run's masks hide are dropped, and so are tombstones that hide nothing. The new trees
 * partition the key space: each takes the masks from its first key (the first tree: from the least
 * key) to the next one's. Where there is one run only, leaves that are about full are copied as
 * they are.
 *
 * <p>The runs' trees must stay in use until the merge is done or aborted. Confined to one thread at
 * a time.
 */
public final class TreeMerger {
  /** A leaf is copied if it is this full, in quarters. */
  private static final int FULL_QUARTERS = 3;

  private final boolean bottom;
  private final TreeSettings settings;
  private final long treeBytes;
  private final Supplier<? extends TreeOutput> outputs;

  private final KeyMerge merge;

  /** For each run, what all newer runs hide. */
  private final MaskWalk[] hidden;

  /** What the new trees hide. */
  private final MaskedRanges masks;

  private final MaskWalk hiddenBelow;
  private final boolean hasMasks;
  private final boolean copiesLeaves;

  private final List<TreeOutput> made = new ArrayList<>();
  private final List<PackedTree> trees = new ArrayList<>();
  private @Nullable TreeBuilder builder;

  /** Where the masks of the tree under way begin; null for the first tree. */
  private byte @Nullable [] lowEnd;

  /** What the next key that stays shares at most with the last one that stayed. */
  private int sharedSince = Integer.MAX_VALUE;

  private long keysRead;
  private boolean done;

  /**
   * Prepares a merge.
   *
   * @param runs the newest run first
   * @param bottom whether nothing older exists in the key range of the runs: then neither
   *     tombstones nor masks are needed
   * @param settings how the new trees are built
   * @param treeBytes size from which on a tree takes no more entries
   * @param outputs gives a place for each new tree
   */
  public TreeMerger(
      List<List<PackedTree>> runs,
      boolean bottom,
      TreeSettings settings,
      long treeBytes,
      Supplier<? extends TreeOutput> outputs) {
    this.bottom = bottom;
    this.settings = settings;
    this.treeBytes = treeBytes;
    this.outputs = outputs;
    this.merge = new KeyMerge(runs);
    this.hidden = new MaskWalk[runs.size()];
    MaskedRanges newer = MaskedRanges.NONE;
    for (int i = 0; i < hidden.length; i++) {
      hidden[i] = new MaskWalk(newer);
      for (PackedTree tree : runs.get(i)) {
        newer = newer.union(tree.masks());
      }
    }
    this.hasMasks = !newer.isEmpty();
    this.copiesLeaves = runs.size() == 1 && !hasMasks;
    this.masks = bottom ? MaskedRanges.NONE : newer;
    this.hiddenBelow = new MaskWalk(masks);
  }

  /**
   * Merges a number of keys, and what follows these in their leaf at most.
   *
   * @return whether the merge is done
   * @throws io.github.coppicedb.CorruptionException when an input is damaged; then, and after any
   *     other exception, only {@link #abort} may follow
   */
  public boolean step(int keys) {
    long end = keysRead + keys;
    while (keysRead < end && !done) {
      if (merge.next()) {
        keysRead++;
        takeKey();
      } else {
        end();
      }
    }
    return done;
  }

  private void takeKey() {
    byte[] key = merge.key();
    int length = merge.keyLength();
    sharedSince = Math.min(sharedSince, merge.shared());
    TreeScanner entry = merge.entry();
    if (copiesLeaves && canCopy(entry)) {
      copyLeaf(entry, key, length);
      return;
    }
    if ((hasMasks || entry.kind() == EntryKind.TOMBSTONE) && isDropped(entry, key, length)) {
      return;
    }
    TreeBuilder target = builderFor(key, length);
    target.add(
        target.entries() == 0 ? 0 : sharedSince,
        key,
        0,
        length,
        entry.kind(),
        entry.valueBytes(),
        entry.valueAt(),
        entry.valueLength());
    endIfFull(target);
  }

  private void endIfFull(TreeBuilder target) {
    sharedSince = Integer.MAX_VALUE;
    if (target.bytes() >= treeBytes) {
      target.endEntries();
    }
  }

  private boolean canCopy(TreeScanner entry) {
    return entry.isFirstOfLeaf()
        && entry.leafBytes() >= settings.pageBytes() / 4 * FULL_QUARTERS
        && entry.hasOnlyPuts();
  }

  /** Takes all of the leaf whose first key was taken. */
  private void copyLeaf(TreeScanner entry, byte[] key, int length) {
    TreeBuilder target = builderFor(key, length);
    long before = target.entries();
    PageKeys last = target.addLeaf(before == 0 ? 0 : sharedSince, entry.checkedLeaf());
    merge.passLeaf(last.key(), last.keyLength());
    keysRead += target.entries() - before - 1;
    endIfFull(target);
  }

  private boolean isDropped(TreeScanner entry, byte[] key, int length) {
    boolean tombstone = entry.kind() == EntryKind.TOMBSTONE;
    return hidden[merge.stream()].covers(key, length)
        || (tombstone && (bottom || hiddenBelow.covers(key, length)));
  }

  /** Returns the builder for the next key, a new one if the one before took enough. */
  private TreeBuilder builderFor(byte[] key, int length) {
    TreeBuilder current = builder;
    if (current != null && !current.isEnded()) {
      return current;
    }
    if (current != null) {
      byte[] first = Arrays.copyOf(key, length);
      trees.add(current.finish(masks.clip(lowEnd, first)));
      lowEnd = first;
    }
    return begin();
  }

  private TreeBuilder begin() {
    TreeOutput output = outputs.get();
    made.add(output);
    TreeBuilder begun = new TreeBuilder(output, settings);
    builder = begun;
    return begun;
  }

  private void end() {
    TreeBuilder last = builder;
    if (last == null && !masks.isEmpty()) {
      last = begin();
    }
    if (last != null) {
      trees.add(last.finish(masks.clip(lowEnd, null)));
    }
    done = true;
  }

  /** Returns the number of keys taken so far, each counted once whatever the number of entries. */
  public long keysRead() {
    return keysRead;
  }

  /** Returns the new trees in order, when the merge is done; none if nothing is left. */
  public List<PackedTree> result() {
    if (!done) {
      throw new IllegalStateException("the merge is not done");
    }
    return List.copyOf(trees);
  }

  /** Drops all that was made, also when the merge is done; the inputs stay as they are. */
  public void abort() {
    made.forEach(TreeOutput::abort);
    made.clear();
    trees.clear();
    builder = null;
  }
}
