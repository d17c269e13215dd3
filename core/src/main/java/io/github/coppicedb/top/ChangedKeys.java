package io.github.coppicedb.top;

import io.github.coppicedb.tree.MaskedRanges;

/**
 * Which keys a top has changed, and when: what the commits of others are validated against. A mark
 * is one of the top. Everything here is for the top's writer.
 */
public sealed interface ChangedKeys permits ArenaTop, KeyTrace {
  /** Returns the mark behind all changes. */
  int bytes();

  /** Returns whether a key was changed at or after a mark, by a record of its own or by a mask. */
  boolean changedSince(int mark, byte[] key, int keyLength, long hash);

  /**
   * Returns whether any key of a range was changed at or after a mark, by a record of its own or by
   * a mask. Looks at all changes since the mark.
   */
  boolean changedSince(int mark, MaskedRanges.Range range);

  /** Returns whether a range was masked. */
  boolean hasMasks();

  /**
   * Shows every key that was changed, until the visitor stops; a key that was changed twice may
   * come twice. Masks are not shown.
   *
   * @return false if the visitor stopped
   */
  boolean forEachKey(KeyVisitor visitor);

  /** Returns the bytes of heap that this takes. */
  long heapBytes();
}
