package io.github.coppicedb.lsm;

import io.github.coppicedb.log.LogPosition;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.PackedTree;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * One layer of a shelf: a sealed top that is not packed yet, packed trees in heap, or tree files
 * that a transaction has brought along.
 *
 * @param layer how it is read
 * @param top the sealed top, or null when it is packed
 * @param mark the length of the sealed top
 * @param files the tree files, empty when the layer lies in heap
 * @param rank how often its entries were merged: 0 for a top, 1 for a packed top
 * @param heapBytes heap that it takes
 * @param logBytes about the bytes of log that recovery would read to make it again
 * @param end where recovery begins once this layer and all older ones are stored
 * @param generation grows with each layer put on a shelf; a merged layer has its newest input's
 * @param section only layers of one section are merged; savepoints begin a new one
 */
record ShelfItem(
    Layer layer,
    @Nullable ArenaTop top,
    int mark,
    List<StoredTree> files,
    int rank,
    long heapBytes,
    long logBytes,
    LogPosition end,
    long generation,
    int section) {

  static ShelfItem ofTop(ArenaTop top, LogPosition end, int section) {
    int mark = top.mark();
    Layer layer = new TopLayer(top, mark);
    return new ShelfItem(
        layer, top, mark, List.of(), 0, top.heapBytes(), top.bytes(), end, 0, section);
  }

  static ShelfItem ofFiles(StoredRun run, LogPosition end) {
    return new ShelfItem(run.run(), null, 0, run.trees(), 0, 0, 0, end, 0, 0);
  }

  /** Returns the packed form of neighbours, newest first. */
  static ShelfItem packed(List<ShelfItem> from, Run run) {
    ShelfItem newest = from.getFirst();
    long heap = run.trees().stream().mapToLong(PackedTree::bytes).sum();
    long log = from.stream().mapToLong(ShelfItem::logBytes).sum();
    return newest.with(run, List.of(), newest.rank + 1, heap, log);
  }

  /** Returns the stored form of neighbours, newest first. */
  static ShelfItem spilled(List<ShelfItem> from, StoredRun run) {
    ShelfItem newest = from.getFirst();
    return newest.with(run.run(), run.trees(), newest.rank, 0, 0);
  }

  private ShelfItem with(Run run, List<StoredTree> trees, int newRank, long heap, long log) {
    return new ShelfItem(run, null, 0, trees, newRank, heap, log, end, generation, section);
  }

  boolean isTop() {
    return top != null;
  }

  boolean isFiles() {
    return !files.isEmpty();
  }

  boolean isHeap() {
    return !isTop() && !isFiles();
  }

  boolean isOfRankAndSectionOf(ShelfItem other) {
    return rank == other.rank && section == other.section;
  }

  ShelfItem withEnd(LogPosition newEnd) {
    return new ShelfItem(
        layer, top, mark, files, rank, heapBytes, logBytes, newEnd, generation, section);
  }

  ShelfItem withGeneration(long newGeneration) {
    return new ShelfItem(
        layer, top, mark, files, rank, heapBytes, logBytes, end, newGeneration, section);
  }

  /** Returns the numbers of the value files that entries of this layer may refer to. */
  LongStream valueFiles() {
    return top != null
        ? Arrays.stream(top.largeFiles())
        : layer.trees().stream().flatMapToLong(tree -> Arrays.stream(tree.largeFiles()));
  }
}
