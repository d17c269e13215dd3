package io.github.coppicedb.tree;

/**
 * An ordered walk over the entries of one layer, tombstones included, one entry a key. Positioned
 * on an entry, or nowhere: before the first use, and after a move that returned false. From
 * nowhere, {@link #next} is {@link #first} and {@link #previous} is {@link #last}: callers that ran
 * off an end keep note of it themselves. Confined to one thread.
 */
public interface EntryCursor {
  /** What {@link #shared} says when it does not know. */
  int UNKNOWN = -1;

  /** Moves to the first entry. */
  boolean first();

  /** Moves to the last entry. */
  boolean last();

  /** Moves to the entry of the least key that is greater than or equal to the given one. */
  boolean seekCeiling(byte[] key, int keyLength);

  /** Moves to the entry of the greatest key that is less than or equal to the given one. */
  boolean seekFloor(byte[] key, int keyLength);

  /** Moves to the next greater key. */
  boolean next();

  /** Moves to the next smaller key. */
  boolean previous();

  /**
   * Returns a buffer whose first {@link #keyLength} bytes are the key, valid until the next move.
   */
  byte[] key();

  /** Returns the key's length. */
  int keyLength();

  /**
   * Returns how many bytes the key has in common, at the begin, with the key that the last {@link
   * #next} or {@link #previous} moved away from: exactly, or {@link #UNKNOWN}, as after all other
   * moves.
   */
  int shared();

  /** Returns whether the entry says that its key is deleted. */
  boolean isTombstone();

  /** Fills in the entry's value. */
  void value(EntryValue out);
}
