package io.github.coppicedb.lsm;

import io.github.coppicedb.DatabaseException;
import io.github.coppicedb.log.LogPosition;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.TreeSettings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sealed layers of one large transaction: packed and merged in the background like the shared
 * ones, and written to files that nothing refers to as soon as all open transactions together take
 * more than half of the memory budget. So disk, not heap, bounds a transaction.
 *
 * <p>Confined to the transaction's thread, but for the background work.
 */
public final class PrivateLayers {
  private static final LogPosition NOWHERE = new LogPosition(0, 0, 0);
  private static final long WAIT_MILLIS = 20;
  private static final int MANY_LAYERS = 64;

  /** Layers that nobody reads through are merged this many at a time: each entry less often. */
  private static final int UNREAD_FAN_IN = 128;

  /** Those of a transaction that reads are merged sooner than shared ones, so that they are few. */
  private static final int READ_FAN_IN = 4;

  private final TreeStore store;
  private final Tuning tuning;
  private final Background background;
  private final AtomicInteger users;
  private final Shelf shelf;
  private final LayerMerger merger;
  private int section;
  private int sections;
  private volatile boolean read;
  private volatile boolean ending;
  private volatile boolean ended;
  private volatile @Nullable RuntimeException failure;

  /**
   * Makes an empty stack of layers.
   *
   * @param users counts those that share the budget
   */
  public PrivateLayers(TreeStore store, Tuning tuning, Background background, AtomicInteger users) {
    this.store = store;
    this.tuning = tuning;
    this.background = background;
    this.users = users;
    this.shelf = new Shelf(new ReentrantLock(), () -> {});
    this.merger = new LayerMerger(shelf, store, this::settings);
    users.incrementAndGet();
  }

  /** Puts a sealed top on the stack. Call {@link #throttle} before the next one. */
  public void push(ArenaTop top) {
    shelf.push(List.of(ShelfItem.ofTop(top, NOWHERE, section)));
  }

  /**
   * Has the layers packed and merged; works or waits when too much is waiting for it.
   *
   * @throws DatabaseException when memory is full and the work that would make room fails
   */
  public void throttle() {
    background.submit(this::workQuietly);
    merger.packWhile(this::hasManyTops);
    while (shelf.heapBytes() > 2 * share()) {
      if (!runOne()) {
        rethrowFailure();
        shelf.awaitChange(WAIT_MILLIS);
      }
    }
  }

  /**
   * Returns whether the writer must help to pack: soon when the transaction reads, as each top is
   * one more place to look into; else when they take an eighth of its share of memory. That is
   * enough to keep the background busy, and the collector has little to move: with half of the
   * share its pauses were three times as long, and puts no faster.
   */
  private boolean hasManyTops() {
    return read ? shelf.topCount() > tuning.sealedTops() : shelf.topBytes() > share() / 8;
  }

  /**
   * Returns the layers as they are now, newest first, for a read. The first one helps to pack the
   * tops that were left waiting: each would have to be sorted for it anyway.
   */
  public List<Layer> layers() {
    if (!read) {
      read = true;
      background.submit(this::workQuietly);
      merger.packWhile(this::hasManyTops);
    }
    return shelf.items().stream().map(ShelfItem::layer).toList();
  }

  /**
   * Returns a number that is another one after the layers have changed. Ask for it before the
   * layers that are to be told by it.
   */
  public int changes() {
    return shelf.changes();
  }

  /**
   * Begins a section that {@link #rollbackTo} can take away; returns the number of the last one.
   */
  public int beginSection() {
    int last = section;
    section = ++sections;
    return last;
  }

  /** Takes away all layers pushed after a section, which goes on from here under a new number. */
  public void rollbackTo(int kept) {
    disposeFiles(shelf.removeIf(item -> item.span().section() > kept));
    section = ++sections;
  }

  /** Packs all tops and, when asked, writes all trees to files. */
  public void finish(boolean toFiles) {
    // What stays in heap is soon read by everybody.
    read |= !toFiles;
    // The background helps with the tops, and only with them: then all is merged in one go.
    ending = true;
    shelf.joinSections();
    merger.packWhile(() -> true);
    ended = true;
    shelf.settle();
    finishFree(toFiles);
    // A last piece of work may have been claimed just before the end was seen.
    shelf.settle();
    finishFree(toFiles);
    shelf.freeze();
  }

  private void finishFree(boolean toFiles) {
    boolean more = true;
    while (more) {
      more = merger.packOne() || (toFiles ? merger.spillOne() : hasManyLayers() && mergeOne());
    }
  }

  /** Layers that nobody reads through have no filters. */
  private TreeSettings settings() {
    return read ? tuning.tree() : tuning.tree().withoutFilter();
  }

  private boolean hasManyLayers() {
    return shelf.items().size() > MANY_LAYERS;
  }

  private boolean mergeOne() {
    if (ended) {
      return merger.mergeOne(tuning.fanIn());
    }
    return merger.mergeOne(read ? Math.min(READ_FAN_IN, tuning.fanIn()) : UNREAD_FAN_IN);
  }

  /** Returns the numbers of the tree files, oldest run first, each run in the order of its keys. */
  public long[] fileNumbers() {
    return shelf.items().reversed().stream()
        .flatMap(item -> item.files().stream())
        .mapToLong(StoredTree::fileId)
        .toArray();
  }

  /** Returns whether there are no layers. */
  public boolean isEmpty() {
    return shelf.isEmpty();
  }

  /** Returns whether a layer refers to a value file. */
  public boolean refersTo(long valueFile) {
    return shelf.items().stream().anyMatch(item -> item.layer().refersTo(valueFile));
  }

  /** Ends the transaction's hold on the budget; the layers, and their files, stay. */
  public void handOver() {
    ended = true;
    users.decrementAndGet();
  }

  /** Removes all files. */
  public void discard() {
    ended = true;
    disposeFiles(shelf.removeIf(item -> true));
    users.decrementAndGet();
  }

  List<ShelfItem> items() {
    return shelf.items();
  }

  private void disposeFiles(List<ShelfItem> items) {
    List<StoredTree> files = items.stream().flatMap(item -> item.files().stream()).toList();
    if (!files.isEmpty()) {
      background.submit(() -> files.forEach(store::dispose));
    }
  }

  private long share() {
    return tuning.memoryBudget() / 2 / Math.max(1, users.get());
  }

  private boolean runOne() {
    return merger.packOne()
        || (!ending && mergeOne())
        || (shelf.packedBytes() > share() && merger.spillOne());
  }

  private void workQuietly() {
    try {
      boolean more = true;
      while (!ended && more) {
        more = runOne();
      }
    } catch (RuntimeException e) {
      keepFailure(e);
    } catch (OutOfMemoryError e) {
      keepFailure(new IllegalStateException("a merge ran out of heap: " + e.getMessage(), e));
    }
  }

  private void keepFailure(RuntimeException reason) {
    failure = reason;
    shelf.signal();
  }

  private void rethrowFailure() {
    RuntimeException failed = failure;
    if (failed != null) {
      failure = null;
      throw failed;
    }
  }
}
