package io.github.coppicedb.tx;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.lsm.Epoch;
import io.github.coppicedb.lsm.Forest;
import io.github.coppicedb.lsm.Layer;
import io.github.coppicedb.lsm.LayerStack;
import io.github.coppicedb.lsm.ValueStore;
import io.github.coppicedb.lsm.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a database after some commit, as long as it is held. Never changes. Any number of
 * threads may read.
 */
public final class ReadSnapshot implements View, AutoCloseable {
  private final Forest forest;
  private final ValueStore values;
  private final Lifecycle lifecycle;
  private final Version version;
  private final int mark;
  private final LayerStack stack;
  private boolean released;
  private volatile boolean closed;

  /** Takes the current state. */
  public ReadSnapshot(Forest forest, ValueStore values, Lifecycle lifecycle) {
    lifecycle.ensureOpen();
    this.forest = forest;
    this.values = values;
    this.lifecycle = lifecycle;
    this.version = forest.acquire();
    // The mark is read after the version: all that the version's older layers hold was committed
    // before anything in the active top, so every mark gives a state that there was.
    this.mark = version.active().mark();
    this.stack = new LayerStack(version.layersAt(mark));
  }

  @Override
  public LayerStack stack() {
    ensureOpen();
    return stack;
  }

  @Override
  public void ensureOpen() {
    if (closed) {
      throw closedException();
    }
    lifecycle.ensureOpen();
  }

  @Override
  public RuntimeException translate(IllegalStateException e) {
    return closed ? closedException() : View.super.translate(e);
  }

  private static ClosedException closedException() {
    return new ClosedException("the snapshot was closed");
  }

  @Override
  public long changes() {
    return 0;
  }

  @Override
  public ValueStore values() {
    return values;
  }

  @Override
  public Lifecycle lifecycle() {
    return lifecycle;
  }

  /** Returns the layers, newest first. */
  List<Layer> layers() {
    return stack.layers();
  }

  /** Returns the epoch that was going on, or null when it is over and nobody holds it. */
  @Nullable Epoch epoch() {
    return version.epoch();
  }

  /** Returns how much of the epoch is seen. */
  int mark() {
    return mark;
  }

  /** Lets go of the state. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      if (released) {
        return;
      }
      released = true;
    }
    closed = true;
    if (!lifecycle.isClosed()) {
      forest.release(version);
    }
  }
}
