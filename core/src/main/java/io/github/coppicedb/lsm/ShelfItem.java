package io.github.coppicedb.lsm;

import io.github.coppicedb.log.LogPosition;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.PackedTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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
 * @param dropped value files that superseded entries referred to: as long as the log is what brings
 *     this layer back, a power cut may bring those entries back, so they go when it is stored
 * @param span which commits it holds
 */
record ShelfItem(
    Layer layer,
    @Nullable ArenaTop top,
    int mark,
    List<StoredTree> files,
    int rank,
    long heapBytes,
    long logBytes,
    List<Long> dropped,
    Span span) {

  /**
   * Which commits a layer holds.
   *
   * @param oldest number of the oldest push that it holds; the layers of one large commit share one
   * @param newest number of the newest
   * @param end where recovery begins once this layer and all older ones are stored
   * @param section only layers of one section are merged; savepoints begin a new one
   * @param sealedAt when the oldest of it was sealed, as {@link System#nanoTime}
   */
  record Span(long oldest, long newest, LogPosition end, int section, long sealedAt) {}

  static ShelfItem ofTop(ArenaTop top, LogPosition end, int section) {
    int mark = top.mark();
    return new ShelfItem(
        new TopLayer(top, mark),
        top,
        mark,
        List.of(),
        0,
        top.heapBytes(),
        top.bytes(),
        List.of(),
        new Span(0, 0, end, section, System.nanoTime()));
  }

  static ShelfItem ofFiles(StoredRun run, LogPosition end) {
    Span span = new Span(0, 0, end, 0, System.nanoTime());
    return new ShelfItem(run.run(), null, 0, run.trees(), 0, 0, 0, List.of(), span);
  }

  /**
   * Returns the runs of all layers in heap that are packed, joined as far as they do not overlap.
   */
  static List<Run> joinedRuns(List<ShelfItem> items) {
    return Run.joined(
        items.stream().filter(ShelfItem::isHeap).map(item -> (Run) item.layer()).toList());
  }

  /** Cuts layers into rows that become one run each: all neighbours in heap, or one of files. */
  static List<List<ShelfItem>> rows(List<ShelfItem> items) {
    List<List<ShelfItem>> rows = new ArrayList<>();
    for (ShelfItem item : items) {
      boolean joins = !rows.isEmpty() && item.isHeap() && rows.getLast().getLast().isHeap();
      if (!joins) {
        rows.add(new ArrayList<>());
      }
      rows.getLast().add(item);
    }
    return rows;
  }

  /** Returns the packed form of neighbours, newest first. */
  static ShelfItem packed(List<ShelfItem> from, Run run) {
    long heap = run.trees().stream().mapToLong(PackedTree::bytes).sum();
    long log = from.stream().mapToLong(ShelfItem::logBytes).sum();
    int rank = from.getFirst().rank + 1;
    return new ShelfItem(
        run, null, 0, List.of(), rank, heap, log, allDropped(from, run), joined(from));
  }

  /** Returns the stored form of neighbours, newest first. */
  static ShelfItem spilled(List<ShelfItem> from, StoredRun run) {
    int rank = from.getFirst().rank;
    List<Long> dropped = allDropped(from, run.run());
    return new ShelfItem(run.run(), null, 0, run.trees(), rank, 0, 0, dropped, joined(from));
  }

  private static List<Long> allDropped(List<ShelfItem> from, Run output) {
    return from.stream()
        .flatMap(item -> item.allValueFiles().stream())
        .filter(file -> !output.refersTo(file))
        .distinct()
        .toList();
  }

  private static Span joined(List<ShelfItem> from) {
    Span newest = from.getFirst().span;
    Span oldest = from.getLast().span;
    return new Span(oldest.oldest, newest.newest, newest.end, newest.section, oldest.sealedAt);
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

  /** Returns whether a commit lies partly in this layer and partly in the next newer one. */
  boolean sharesCommitWith(ShelfItem newer) {
    return span.newest == newer.span.oldest;
  }

  /** Returns the same layer as part of a commit: of no section any more. */
  ShelfItem withEnd(LogPosition end) {
    return withSpan(new Span(span.oldest, span.newest, end, 0, span.sealedAt));
  }

  ShelfItem withNumber(long number) {
    return withSpan(new Span(number, number, span.end, span.section, span.sealedAt));
  }

  private ShelfItem withSpan(Span other) {
    return new ShelfItem(layer, top, mark, files, rank, heapBytes, logBytes, dropped, other);
  }

  /**
   * Returns the value files that entries of this layer refer to, or did before they were merged.
   */
  List<Long> allValueFiles() {
    LongStream now =
        top != null
            ? Arrays.stream(top.largeFiles())
            : layer.trees().stream().flatMapToLong(tree -> Arrays.stream(tree.largeFiles()));
    return Stream.concat(now.boxed(), dropped.stream()).toList();
  }
}
