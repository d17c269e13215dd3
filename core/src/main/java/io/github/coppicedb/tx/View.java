package io.github.coppicedb.tx;

import io.github.coppicedb.lsm.LayerStack;
import io.github.coppicedb.lsm.ValueStore;
import io.github.coppicedb.tree.EntryValue;

/** What cursors and gets read: a snapshot, or a transaction over one. */
public sealed interface View permits ReadSnapshot, Transaction {
  /**
   * Returns the layers as they are now.
   *
   * @throws io.github.coppicedb.ClosedException after the end
   */
  LayerStack stack();

  /**
   * Does nothing while the view can be read.
   *
   * @throws io.github.coppicedb.ClosedException after the end
   */
  void ensureOpen();

  /** Returns a number that grows with each change; constant for a snapshot. */
  long changes();

  /** Returns the store of the values that lie in files of their own. */
  ValueStore values();

  /** Returns the state of the database. */
  Lifecycle lifecycle();

  /** Looks a key up; the entry is in {@code out} if it is present. */
  default boolean find(byte[] key, int keyLength, EntryValue out) {
    LayerStack stack = stack();
    try {
      return stack.find(key, keyLength, out);
    } catch (IllegalStateException e) {
      throw translate(e);
    }
  }

  /** Turns the trace of a mapping that went away under a reader into what happened. */
  default RuntimeException translate(IllegalStateException e) {
    return lifecycle().isClosed() ? lifecycle().closedException() : e;
  }
}
