package io.github.coppicedb.top;

import io.github.coppicedb.tree.MaskedRanges;
import org.jspecify.annotations.Nullable;

/**
 * The masks of a top: records that are linked from the newest to the oldest. Read by those who may
 * read the top, as {@link ArenaTop} says; written by its writer.
 */
final class TopMasks {
  private volatile int newest = ArenaRecord.NONE;
  private volatile @Nullable Joined cached;

  /** The masks up to and with one record. */
  private record Joined(int newest, MaskedRanges ranges) {}

  /** Returns the newest mask, published or not, or {@link ArenaRecord#NONE}. */
  int newest() {
    return newest;
  }

  /** Links a record as the newest mask. */
  void add(byte[] arena, int record) {
    ArenaRecord.putOlder(arena, record, newest);
    newest = record;
  }

  /** Takes back the masks since a mark of the top. Never beside readers. */
  void truncate(byte[] arena, int mark) {
    int last = newest;
    while (last >= mark) {
      last = ArenaRecord.older(arena, last);
    }
    newest = last;
    cached = null;
  }

  /** Returns the masks before a mark of the top, joined. */
  MaskedRanges before(int mark, ArenaTop top) {
    int last = newest;
    // Loaded after the record was: so it holds that record.
    byte[] arena = top.array();
    while (last >= mark) {
      last = ArenaRecord.older(arena, last);
    }
    if (last == ArenaRecord.NONE) {
      return MaskedRanges.NONE;
    }
    Joined known = cached;
    if (known != null && known.newest == last) {
      return known.ranges;
    }
    MaskedRanges joined = MaskRecord.joined(arena, last);
    cached = new Joined(last, joined);
    return joined;
  }
}
