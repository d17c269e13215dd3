package io.github.coppicedb.lsm;

import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.PackedTree;
import io.github.coppicedb.tree.TreeSettings;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The work on a shelf that stays in memory: packing sealed tops and merging packed trees of equal
 * rank, so that an entry is merged a few times only. Each call does one piece, claimed so that
 * several threads may call at once.
 */
final class LayerMerger {
  private final Shelf shelf;
  private final TreeStore store;
  private final Supplier<TreeSettings> settings;

  /**
   * Makes the worker of a shelf.
   *
   * @param settings asked for each tree in heap
   */
  LayerMerger(Shelf shelf, TreeStore store, Supplier<TreeSettings> settings) {
    this.shelf = shelf;
    this.store = store;
    this.settings = settings;
  }

  /** Packs the oldest sealed top; false when there is none to claim. */
  boolean packOne() {
    List<ShelfItem> claimed = shelf.claimTop();
    if (claimed.isEmpty()) {
      return false;
    }
    ShelfItem item = claimed.getFirst();
    ArenaTop top = Objects.requireNonNull(item.top());
    run(
        claimed,
        () -> {
          PackedTree tree = top.seal(item.mark(), settings.get());
          return ShelfItem.packed(claimed, new Run(List.of(tree)));
        });
    return true;
  }

  /** Packs a top or merges neighbours; false when there is nothing to do. */
  boolean doOne(int fanIn) {
    return packOne() || mergeOne(fanIn);
  }

  /** Packs tops as long as there are some to claim and a condition holds. */
  void packWhile(BooleanSupplier condition) {
    boolean more = true;
    while (more && condition.getAsBoolean()) {
      more = packOne();
    }
  }

  /** Merges so many neighbours of one rank; false when there are too few. */
  boolean mergeOne(int fanIn) {
    List<ShelfItem> claimed = shelf.claimRank(fanIn);
    if (claimed.isEmpty()) {
      return false;
    }
    run(
        claimed,
        () -> {
          List<Run> inputs = claimed.stream().map(item -> (Run) item.layer()).toList();
          return ShelfItem.packed(claimed, store.mergeToHeap(inputs, settings.get()));
        });
    return true;
  }

  /** Writes the largest row of packed trees to files; false when there is none. */
  boolean spillOne() {
    List<ShelfItem> claimed = shelf.claimLargestRow();
    if (claimed.isEmpty()) {
      return false;
    }
    run(
        claimed,
        () -> {
          List<Run> inputs = claimed.stream().map(item -> (Run) item.layer()).toList();
          return ShelfItem.spilled(claimed, StoredRun.of(store.mergeToFiles(inputs, false)));
        });
    return true;
  }

  private interface Work {
    ShelfItem make();
  }

  private void run(List<ShelfItem> claimed, Work work) {
    boolean done = false;
    try {
      shelf.replace(claimed, List.of(work.make()));
      done = true;
    } finally {
      if (!done) {
        shelf.unclaim(claimed);
      }
    }
  }
}
