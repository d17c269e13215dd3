package io.github.coppicedb.lsm;

import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.top.ChangedKeys;
import io.github.coppicedb.top.KeyTrace;
import io.github.coppicedb.tree.PackedTree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was committed during one stretch of time: a top, which grows while it is the active one, or
 * the layers of one large transaction. Epochs are linked from older to newer and never the other
 * way round; {@link EpochHistory} says how long one is needed, and how much of it is kept.
 *
 * <p>Changed and asked for what it holds under the commit lock; holders and end are guarded by the
 * history.
 */
public final class Epoch {
  private @Nullable ChangedKeys changes;
  private List<Layer> layers;
  // Who began at or behind this mark misses nothing: 0 until something is forgotten.
  private int forgottenBefore;
  private @Nullable Epoch next;
  // Keeps the files of the layers, until nobody is validated against them any more.
  private @Nullable Version kept;
  private int holders;
  private boolean over;

  private Epoch(@Nullable ArenaTop changes, List<Layer> layers, @Nullable Version kept) {
    this.changes = changes;
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

  /** Returns the top; it is there as long as the epoch is the current one. */
  ArenaTop top() {
    if (changes instanceof ArenaTop top) {
      return top;
    }
    throw new IllegalStateException("the epoch has ended, or is that of a large transaction");
  }

  /**
   * Returns what was changed in the top, or null when this is the epoch of a large transaction or
   * {@linkplain #hasForgottenSince forgotten}.
   */
  public @Nullable ChangedKeys changes() {
    return changes;
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
   * Returns whether something was committed at or after a mark that is not known any more, since
   * keeping it took too much heap.
   */
  public boolean hasForgottenSince(int mark) {
    return mark < forgottenBefore;
  }

  long heapBytes() {
    ChangedKeys held = changes;
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

  /** Forgets the values that were committed, but not the keys. The epoch has ended. */
  void forgetValues() {
    if (changes instanceof ArenaTop top) {
      changes = KeyTrace.of(top);
    }
  }

  /** Forgets what was committed; returns the version that kept it, if there was one. */
  @Nullable Version forget() {
    ChangedKeys held = changes;
    if (held != null) {
      forgottenBefore = held.bytes();
    } else if (!layers.isEmpty()) {
      forgottenBefore = Integer.MAX_VALUE;
    }
    changes = null;
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
