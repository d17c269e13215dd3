package io.github.coppicedb.lsm;

import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.PackedTree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was committed during one stretch of time: a top, which grows while it is the active one, or
 * the layers of one large transaction. Epochs are linked from older to newer and never the other
 * way round; {@link EpochHistory} says how long one is needed.
 *
 * <p>Changed and asked for what it holds under the commit lock; holders and end are guarded by the
 * history.
 */
public final class Epoch {
  private @Nullable ArenaTop top;
  private List<Layer> layers;
  private boolean forgotten;
  private @Nullable Epoch next;
  // Keeps the files of the layers, until nobody is validated against them any more.
  private @Nullable Version kept;
  private int holders;
  private boolean over;

  private Epoch(@Nullable ArenaTop top, List<Layer> layers, @Nullable Version kept) {
    this.top = top;
    this.layers = layers;
    this.kept = kept;
  }

  /** Makes the epoch of an active top. */
  static Epoch of(ArenaTop top) {
    return new Epoch(top, List.of(), null);
  }

  /** Makes the epoch of one large transaction, whose layers a version keeps. */
  static Epoch of(Version kept) {
    return new Epoch(null, kept.olderLayers(), kept);
  }

  /** Returns the top, or null when this is the epoch of a large transaction. */
  public @Nullable ArenaTop top() {
    return top;
  }

  /** Returns the layers of a large transaction, newest first. */
  public List<Layer> layers() {
    return layers;
  }

  /** Returns the epoch that came after this one, or null. */
  public @Nullable Epoch next() {
    return next;
  }

  /**
   * Returns whether what was committed is not known any more, since keeping it took too much heap.
   */
  public boolean isForgotten() {
    return forgotten;
  }

  long heapBytes() {
    ArenaTop held = top;
    if (held != null) {
      return held.heapBytes();
    }
    return layers.stream()
        .flatMap(layer -> layer.trees().stream())
        .filter(PackedTree::isInHeap)
        .mapToLong(PackedTree::bytes)
        .sum();
  }

  void follow(Epoch later) {
    next = later;
  }

  /** Forgets what was committed; returns the version that kept it, if there was one. */
  @Nullable Version forget() {
    forgotten = true;
    top = null;
    layers = List.of();
    return dropKept();
  }

  /** Ends the epoch for good: nobody can hold it from now on. */
  @Nullable Version end() {
    over = true;
    return dropKept();
  }

  private @Nullable Version dropKept() {
    Version version = kept;
    kept = null;
    return version;
  }

  boolean isOver() {
    return over;
  }

  boolean isHeld() {
    return holders > 0;
  }

  void addHolder() {
    holders++;
  }

  void removeHolder() {
    holders--;
  }
}
