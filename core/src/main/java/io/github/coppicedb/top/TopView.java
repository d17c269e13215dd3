package io.github.coppicedb.top;

import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.MaskedRanges;
import org.jspecify.annotations.Nullable;

/**
 * A top as it was at a mark: the newest layer of a version. Never changes. Of a shared top, any
 * thread may use it; of a private one only the top's owner, until the mark is truncated away.
 */
public final class TopView {
  private final ArenaTop top;
  private final int mark;
  // Immutable and always the same: whoever sees null looks again.
  private @Nullable MaskedRanges masks;

  TopView(ArenaTop top, int mark) {
    this.top = top;
    this.mark = mark;
  }

  /** Returns the top. */
  public ArenaTop top() {
    return top;
  }

  /** Returns the mark. */
  public int mark() {
    return mark;
  }

  /**
   * Finds the entry of a key, a tombstone too. A key that the top never had is not found even if a
   * mask covers it: then {@link #masks} says that older layers are hidden.
   *
   * @param key a buffer that begins with the key
   * @param keyLength the key's length
   * @param hash the key's {@link io.github.coppicedb.format.KeyHash}
   * @param out gets the value
   * @return false if there is no entry; {@code out} is unchanged then
   */
  public boolean find(byte[] key, int keyLength, long hash, EntryValue out) {
    return top.find(mark, key, keyLength, hash, out);
  }

  /**
   * Returns a cursor over the entries, tombstones included. Puts what is new into order first,
   * which later cursors share.
   */
  public EntryCursor cursor() {
    return top.cursor(mark);
  }

  /** Returns what this layer hides in all older ones. */
  public MaskedRanges masks() {
    MaskedRanges known = masks;
    if (known == null) {
      known = top.masks(mark);
      masks = known;
    }
    return known;
  }

  /** Returns a number that the number of entries does not exceed. */
  public int entriesAtMost() {
    return top.recordsAtMost(mark);
  }
}
