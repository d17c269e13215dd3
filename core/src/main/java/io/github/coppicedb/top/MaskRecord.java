package io.github.coppicedb.top;

import io.github.coppicedb.tree.MaskedRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Questions about the records of an arena that mask a range: the key is its least key, the value
 * the least key above it, and no value says that there is none. Stateless, like {@link
 * ArenaRecord}.
 */
final class MaskRecord {
  private MaskRecord() {}

  /** Returns the range of a mask. */
  static MaskedRanges.Range range(byte[] arena, int mask) {
    byte[] high = ArenaRecord.value(arena, mask);
    return new MaskedRanges.Range(ArenaRecord.key(arena, mask), high.length == 0 ? null : high);
  }

  /** Returns the ranges of a mask and of all that it links to, joined. */
  static MaskedRanges joined(byte[] arena, int newest) {
    List<MaskedRanges.Range> ranges = new ArrayList<>();
    for (int at = newest; at != ArenaRecord.NONE; at = ArenaRecord.older(arena, at)) {
      ranges.add(range(arena, at));
    }
    return MaskedRanges.of(ranges);
  }

  /** Returns whether a key is in the range of a mask. */
  static boolean covers(byte[] arena, int mask, byte[] key, int keyLength) {
    int high = ArenaRecord.valueOffset(arena, mask);
    int highLength = ArenaRecord.valueLength(arena, mask);
    return ArenaRecord.compareKey(arena, mask, key, keyLength) <= 0
        && (highLength == 0
            || Arrays.compareUnsigned(key, 0, keyLength, arena, high, high + highLength) < 0);
  }

  /** Returns whether the range of a mask has keys in common with a range that is not empty. */
  static boolean meets(byte[] arena, int mask, MaskedRanges.Range other) {
    return range(arena, mask).meets(other);
  }

  /** Returns whether the key of a record that is no mask is in a range. */
  static boolean hasKeyOf(byte[] arena, int record, MaskedRanges.Range range) {
    byte[] low = range.low();
    byte @Nullable [] high = range.high();
    return ArenaRecord.compareKey(arena, record, low, low.length) >= 0
        && (high == null || ArenaRecord.compareKey(arena, record, high, high.length) < 0);
  }

  /** Returns whether a key is less than the end of a range; null is no end. */
  static boolean isBelow(byte[] key, int keyLength, byte @Nullable [] high) {
    return high == null || Arrays.compareUnsigned(key, 0, keyLength, high, 0, high.length) < 0;
  }
}
