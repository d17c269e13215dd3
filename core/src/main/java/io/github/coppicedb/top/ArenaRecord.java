package io.github.coppicedb.top;

import io.github.coppicedb.format.ByteArrays;
import java.util.Arrays;

/**
 * One record of an arena: accessors on a byte array and the offset of the record in it. In heap
 * memory only, never in a file.
 *
 * <pre>
 *  0  older   i32  offset of the record before of the same key (of a mask: of the mask before);
 *                  -1 = none. The only field that is ever written again, by the index
 *  4  head    u32  kind in bits 0-1, key length in bits 2-18, value length in bits 19-31
 *  8  [value length i32, only when its bits in the head are all ones]
 *     key, value
 * </pre>
 *
 * <p>Stateless; who may read which record when is said by {@link ArenaTop}.
 */
final class ArenaRecord {
  /** No record. */
  static final int NONE = -1;

  /** The longest key a record can hold. */
  static final int MAX_KEY_BYTES = (1 << 17) - 1;

  /** Bytes of the array behind the last record, so that eight bytes can be read at any key. */
  static final int SLACK = 8;

  private static final int HEAD = 4;
  private static final int SHORT_HEADER = 8;
  private static final int LONG_HEADER = 12;
  private static final int KEY_SHIFT = 2;
  private static final int VALUE_SHIFT = 19;
  private static final int KIND_MASK = 3;
  private static final int LONG_VALUE = (1 << (32 - VALUE_SHIFT)) - 1;

  private ArenaRecord() {}

  /** Returns the number of bytes of a record. */
  static long bytes(int keyLength, long valueLength) {
    return (valueLength < LONG_VALUE ? SHORT_HEADER : LONG_HEADER) + keyLength + valueLength;
  }

  /** Writes all but key and value. */
  static void putHeader(byte[] arena, int record, int kind, int keyLength, int valueLength) {
    int shown = Math.min(valueLength, LONG_VALUE);
    ByteArrays.put32(arena, record, NONE);
    ByteArrays.put32(arena, record + HEAD, shown << VALUE_SHIFT | keyLength << KEY_SHIFT | kind);
    if (shown == LONG_VALUE) {
      ByteArrays.put32(arena, record + SHORT_HEADER, valueLength);
    }
  }

  static int older(byte[] arena, int record) {
    return ByteArrays.i32(arena, record);
  }

  static void putOlder(byte[] arena, int record, int older) {
    ByteArrays.put32(arena, record, older);
  }

  static byte kind(byte[] arena, int record) {
    return (byte) (arena[record + HEAD] & KIND_MASK);
  }

  static int keyLength(byte[] arena, int record) {
    return ByteArrays.i32(arena, record + HEAD) >>> KEY_SHIFT & MAX_KEY_BYTES;
  }

  static int keyOffset(byte[] arena, int record) {
    boolean isLong = ByteArrays.i32(arena, record + HEAD) >>> VALUE_SHIFT == LONG_VALUE;
    return record + (isLong ? LONG_HEADER : SHORT_HEADER);
  }

  static int valueLength(byte[] arena, int record) {
    int shown = ByteArrays.i32(arena, record + HEAD) >>> VALUE_SHIFT;
    return shown == LONG_VALUE ? ByteArrays.i32(arena, record + SHORT_HEADER) : shown;
  }

  static int valueOffset(byte[] arena, int record) {
    return keyOffset(arena, record) + keyLength(arena, record);
  }

  /** Returns the offset behind the record: the next record, if there is one. */
  static int end(byte[] arena, int record) {
    return valueOffset(arena, record) + valueLength(arena, record);
  }

  /** Returns a copy of the key. */
  static byte[] key(byte[] arena, int record) {
    int from = keyOffset(arena, record);
    return Arrays.copyOfRange(arena, from, from + keyLength(arena, record));
  }

  /** Returns a copy of the value. */
  static byte[] value(byte[] arena, int record) {
    int from = valueOffset(arena, record);
    return Arrays.copyOfRange(arena, from, from + valueLength(arena, record));
  }

  /** Compares the record's key with the first bytes of a buffer. */
  static int compareKey(byte[] arena, int record, byte[] key, int length) {
    int from = keyOffset(arena, record);
    return Arrays.compareUnsigned(arena, from, from + keyLength(arena, record), key, 0, length);
  }

  /** Compares the keys of two records. */
  static int compareKeys(byte[] arena, int first, int second) {
    return compareKeysFrom(arena, first, second, 0);
  }

  /** Compares the keys of two records that are known to share their first bytes. */
  static int compareKeysFrom(byte[] arena, int first, int second, int shared) {
    int a = keyOffset(arena, first);
    int b = keyOffset(arena, second);
    int aEnd = a + keyLength(arena, first);
    int bEnd = b + keyLength(arena, second);
    return Arrays.compareUnsigned(arena, a + shared, aEnd, arena, b + shared, bEnd);
  }
}
