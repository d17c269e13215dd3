package io.github.coppicedb.top;

import io.github.coppicedb.format.ByteArrays;

/**
 * The key of a record as one number: the record's offset above the key's length, so that who sorts
 * keys has both at hand and touches only the bytes that it compares. Stateless.
 */
final class RecordKey {
  private static final int LENGTH_BITS = 17;

  private RecordKey() {}

  static long of(byte[] arena, int record) {
    return of(record, ArenaRecord.keyLength(arena, record));
  }

  static long of(int record, int length) {
    return (long) record << LENGTH_BITS | length;
  }

  static int record(long key) {
    return (int) (key >>> LENGTH_BITS);
  }

  static int length(long key) {
    return (int) key & ArenaRecord.MAX_KEY_BYTES;
  }

  private static int offset(long key) {
    return record(key) + ArenaRecord.KEY;
  }

  /**
   * Returns eight bytes of a key, padded with zeros behind its end, as a number whose unsigned
   * order is the order of the bytes.
   *
   * @param depth the first of them; may be behind the end of the key
   */
  static long word(byte[] arena, long key, int depth) {
    int length = length(key);
    int at = Math.min(depth, length);
    long bytes = ByteArrays.ordered64(arena, offset(key) + at);
    // In two steps each, since a shift by all 64 bits does nothing.
    int half = Math.max(0, Long.BYTES - (length - at)) * (Byte.SIZE / 2);
    return bytes >>> half >>> half << half << half;
  }

  /**
   * Returns where two keys begin to differ, {@link SortedRecords#SAME} if they are equal.
   *
   * @param depth so many bytes are known to be equal
   */
  static int mismatch(byte[] arena, long first, long second, int depth) {
    int length = Math.min(length(first), length(second));
    for (int at = depth; at < length; at += Long.BYTES) {
      long differing =
          ByteArrays.ordered64(arena, offset(first) + at)
              ^ ByteArrays.ordered64(arena, offset(second) + at);
      if (differing != 0) {
        at += Long.numberOfLeadingZeros(differing) / Byte.SIZE;
        if (at < length) {
          return at;
        }
        break;
      }
    }
    return length(first) == length(second) ? SortedRecords.SAME : length;
  }

  /**
   * Returns whether a record comes behind another one: its key is greater, or the same and the
   * record is newer.
   *
   * @param mismatch where the two keys begin to differ, or {@link SortedRecords#SAME}
   */
  static boolean isBehind(byte[] arena, long first, long second, int mismatch) {
    if (mismatch == SortedRecords.SAME) {
      return first > second;
    }
    if (mismatch == length(first) || mismatch == length(second)) {
      return length(first) > length(second);
    }
    return Byte.compareUnsigned(arena[offset(first) + mismatch], arena[offset(second) + mismatch])
        > 0;
  }
}
