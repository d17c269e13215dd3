package io.github.coppicedb.lsm;

import io.github.coppicedb.top.ArenaTop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was committed during one stretch of time: a top, which grows while it is the active one, or
 * the layers of one large transaction. Epochs are linked from older to newer and never the other
 * way round, and only write transactions hold them: so the garbage collector keeps exactly those
 * that an open transaction may still have to be validated against, within the bound of {@link
 * EpochHistory}.
 *
 * <p>Changed and asked for what it holds under the commit lock.
 */
public final class Epoch {
  private @Nullable ArenaTop top;
  private List<Layer> layers;
  private boolean forgotten;
  private @Nullable Epoch next;

  private Epoch(@Nullable ArenaTop top, List<Layer> layers) {
    this.top = top;
    this.layers = layers;
  }

  /** Makes the epoch of an active top. */
  static Epoch of(ArenaTop top) {
    return new Epoch(top, List.of());
  }

  /** Makes the epoch of one large transaction. */
  static Epoch of(List<Layer> layers) {
    return new Epoch(null, List.copyOf(layers));
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
    return held == null ? 0 : held.heapBytes();
  }

  void follow(Epoch later) {
    next = later;
  }

  void forget() {
    forgotten = true;
    top = null;
    layers = List.of();
  }
}
