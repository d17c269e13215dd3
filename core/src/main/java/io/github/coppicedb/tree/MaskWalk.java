package io.github.coppicedb.tree;

import java.util.Arrays;
import java.util.List;

/** Says of keys in ascending order whether ranges cover them. Confined to one thread. */
final class MaskWalk {
  private final List<MaskedRanges.Range> ranges;
  private int at;

  MaskWalk(MaskedRanges masks) {
    this.ranges = masks.list();
  }

  /** Returns whether a key is covered; it must not be less than any key asked before. */
  boolean covers(byte[] key, int length) {
    while (at < ranges.size()) {
      MaskedRanges.Range range = ranges.get(at);
      byte[] high = range.high();
      if (high == null || Arrays.compareUnsigned(key, 0, length, high, 0, high.length) < 0) {
        byte[] low = range.low();
        return Arrays.compareUnsigned(low, 0, low.length, key, 0, length) <= 0;
      }
      at++;
    }
    return false;
  }
}
