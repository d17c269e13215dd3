package io.github.coppicedb.lsm;

import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.MaskedRanges;
import io.github.coppicedb.tree.PackedTree;
import java.util.List;

/**
 * One sorted set of entries among the several that a reader consults, newest first: a top up to a
 * mark, or a run of packed trees. Immutable, any number of readers.
 */
public sealed interface Layer permits TopLayer, Run {
  /**
   * Looks a key up in this layer alone.
   *
   * @param hash the key's {@link io.github.coppicedb.format.KeyHash}
   * @return whether the layer has an entry of the key, possibly a tombstone, now in {@code out}
   */
  boolean find(byte[] key, int keyLength, long hash, EntryValue out);

  /** Returns whether older layers' entries of a key are hidden by a masked range of this layer. */
  boolean hides(byte[] key, int keyLength);

  /** Returns the masked ranges of this layer. */
  MaskedRanges masks();

  /** Returns a new cursor over the layer's entries. */
  EntryCursor cursor();

  /** Returns whether an entry of this layer refers to a value file. */
  boolean refersTo(long valueFile);

  /** Returns the packed trees of this layer; none for a top. */
  List<PackedTree> trees();
}
