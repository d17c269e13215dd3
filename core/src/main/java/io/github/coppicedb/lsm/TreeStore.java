package io.github.coppicedb.lsm;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.storage.Storage;
import io.github.coppicedb.tree.HeapTreeOutput;
import io.github.coppicedb.tree.PackedTree;
import io.github.coppicedb.tree.TreeFile;
import io.github.coppicedb.tree.TreeMerger;
import io.github.coppicedb.tree.TreeOutput;
import io.github.coppicedb.tree.TreeSettings;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Makes packed trees by merging others, in heap or in files, and keeps track of the files that are
 * open. Thread-safe.
 */
public final class TreeStore implements AutoCloseable {
  private static final int STEP_ENTRIES = 8192;

  private final Storage storage;
  private final long databaseId;
  private final FileNumbers numbers;
  private final Tuning tuning;
  private final Set<StoredTree> files = ConcurrentHashMap.newKeySet();
  // Shared by the merges; the close waits for them.
  private final ReadWriteLock open = new ReentrantReadWriteLock();
  private volatile boolean cancelled;

  /** Makes the tree files of a directory. */
  public TreeStore(Storage storage, long databaseId, FileNumbers numbers, Tuning tuning) {
    this.storage = storage;
    this.databaseId = databaseId;
    this.numbers = numbers;
    this.tuning = tuning;
  }

  /** Opens a tree file. */
  public StoredTree open(long number) {
    PackedTree tree = TreeFile.open(storage, FileNames.tree(number), databaseId, number);
    return opened(tree);
  }

  private StoredTree opened(PackedTree tree) {
    StoredTree stored = new StoredTree(tree.fileId(), tree.bytes(), tree);
    files.add(stored);
    return stored;
  }

  private TreeOutput newFile() {
    long number = numbers.next();
    return TreeFile.output(storage, FileNames.tree(number), databaseId, number);
  }

  /** Returns whether a tree file is open. */
  public boolean isOpen(long number) {
    return files.stream().anyMatch(stored -> stored.fileId() == number);
  }

  /**
   * Merges runs in heap, newest first, into one that stays there. What does not overlap stays as it
   * is, unless it is so little that larger trees are worth a copy.
   */
  Run mergeToHeap(List<Run> runs, TreeSettings settings) {
    List<Run> joined = Run.joined(runs);
    if (joined.size() == 1 && bytes(joined.getFirst()) > tuning.topBytes()) {
      return joined.getFirst();
    }
    return whileOpen(
        () ->
            new Run(merge(joined, false, settings, Long.MAX_VALUE, HeapTreeOutput::new, () -> {})));
  }

  private static long bytes(Run run) {
    return run.trees().stream().mapToLong(PackedTree::bytes).sum();
  }

  /**
   * Merges runs, newest first, into tree files, whose bytes are forced.
   *
   * @param bottom whether there is nothing older that tombstones and masks could hide
   */
  List<StoredTree> mergeToFiles(List<Run> runs, boolean bottom) {
    return mergeToFiles(runs, bottom, () -> {});
  }

  /**
   * Does the same, and something else between any two steps.
   *
   * @param between if it throws, the merge fails
   */
  List<StoredTree> mergeToFiles(List<Run> runs, boolean bottom, Runnable between) {
    TreeSettings settings = bottom ? tuning.tree().ofOldest() : tuning.tree();
    return whileOpen(
        () ->
            merge(Run.joined(runs), bottom, settings, tuning.treeBytes(), this::newFile, between)
                .stream()
                .map(this::opened)
                .toList());
  }

  /** Runs a merge, whose inputs and results stay mapped meanwhile. */
  private <T> T whileOpen(Supplier<T> merge) {
    open.readLock().lock();
    try {
      ensureNotCancelled();
      return merge.get();
    } finally {
      open.readLock().unlock();
    }
  }

  private List<PackedTree> merge(
      List<Run> runs,
      boolean bottom,
      TreeSettings settings,
      long treeBytes,
      Supplier<TreeOutput> outputs,
      Runnable between) {
    List<List<PackedTree>> inputs = runs.stream().map(Run::trees).toList();
    TreeMerger merger = new TreeMerger(inputs, bottom, settings, treeBytes, outputs);
    boolean done = false;
    try {
      while (!merger.step(STEP_ENTRIES)) {
        ensureNotCancelled();
        between.run();
      }
      done = true;
      return merger.result();
    } finally {
      if (!done) {
        merger.abort();
      }
    }
  }

  /** Makes all merges that run, or begin later, fail with {@link ClosedException}. */
  public void cancelMerges() {
    cancelled = true;
  }

  /** Unmaps and removes a tree file. */
  void dispose(StoredTree tree) {
    if (files.remove(tree)) {
      tree.tree().release();
      Leftovers.remove(storage, FileNames.tree(tree.fileId()));
    }
  }

  /** Returns a tree file as something to be removed when no version holds it. */
  Retired retired(StoredTree tree) {
    return new Retired() {
      @Override
      public boolean neededBy(Version version) {
        return version.holds(tree);
      }

      @Override
      public void dispose() {
        TreeStore.this.dispose(tree);
      }
    };
  }

  private void ensureNotCancelled() {
    if (cancelled) {
      throw new ClosedException("the database in %s was closed".formatted(storage.location()));
    }
  }

  /** Unmaps all files, when the merges that are under way have ended. */
  @Override
  public void close() {
    cancelMerges();
    open.writeLock().lock();
    try {
      files.forEach(stored -> stored.tree().release());
      files.clear();
    } finally {
      open.writeLock().unlock();
    }
  }
}
