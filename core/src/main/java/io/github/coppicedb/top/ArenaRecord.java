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
 *  8  key
 *     [value length i32, only when its bits in the head are all ones]
 *     value
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

  /** Where the key begins. */
  static final int KEY = 8;

  private static final int HEAD = 4;
  private static final int KEY_SHIFT = 2;
  private static final int VALUE_SHIFT = 19;
  private static final int KIND_MASK = 3;
  private static final int LONG_VALUE = (1 << (32 - VALUE_SHIFT)) - 1;

  private ArenaRecord() {}

  /** Returns the number of bytes of a record. */
  static long bytes(int keyLength, long valueLength) {
    return KEY + keyLength + (valueLength < LONG_VALUE ? 0 : Integer.BYTES) + valueLength;
  }

  /** Writes all but key and value; returns where the value begins. */
  static int putHeader(byte[] arena, int record, int kind, int keyLength, int valueLength) {
    int shown = Math.min(valueLength, LONG_VALUE);
    ByteArrays.put32(arena, record, NONE);
    ByteArrays.put32(arena, record + HEAD, shown << VALUE_SHIFT | keyLength << KEY_SHIFT | kind);
    int value = record + KEY + keyLength;
    if (shown < LONG_VALUE) {
      return value;
    }
    ByteArrays.put32(arena, value, valueLength);
    return value + Integer.BYTES;
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

  static int keyOffset(int record) {
    return record + KEY;
  }

  static int valueLength(byte[] arena, int record) {
    int head = ByteArrays.i32(arena, record + HEAD);
    return valueLength(arena, head, keyEnd(head, record));
  }

  static int valueOffset(byte[] arena, int record) {
    int head = ByteArrays.i32(arena, record + HEAD);
    return valueOffset(head, keyEnd(head, record));
  }

  /** Returns the offset behind the record: the next record, if there is one. */
  static int end(byte[] arena, int record) {
    int head = ByteArrays.i32(arena, record + HEAD);
    int keyEnd = keyEnd(head, record);
    return valueOffset(head, keyEnd) + valueLength(arena, head, keyEnd);
  }

  private static int keyEnd(int head, int record) {
    return record + KEY + (head >>> KEY_SHIFT & MAX_KEY_BYTES);
  }

  private static int valueOffset(int head, int keyEnd) {
    return head >>> VALUE_SHIFT == LONG_VALUE ? keyEnd + Integer.BYTES : keyEnd;
  }

  private static int valueLength(byte[] arena, int head, int keyEnd) {
    int shown = head >>> VALUE_SHIFT;
    return shown == LONG_VALUE ? ByteArrays.i32(arena, keyEnd) : shown;
  }

  /** Returns a copy of the key. */
  static byte[] key(byte[] arena, int record) {
    int from = keyOffset(record);
    return Arrays.copyOfRange(arena, from, from + keyLength(arena, record));
  }

  /** Returns a copy of the value. */
  static byte[] value(byte[] arena, int record) {
    int from = valueOffset(arena, record);
    return Arrays.copyOfRange(arena, from, from + valueLength(arena, record));
  }

  /** Compares the record's key with the first bytes of a buffer. */
  static int compareKey(byte[] arena, int record, byte[] key, int length) {
    int from = keyOffset(record);
    return Arrays.compareUnsigned(arena, from, from + keyLength(arena, record), key, 0, length);
  }

  /** Compares the keys of two records. */
  static int compareKeys(byte[] arena, int first, int second) {
    int a = keyOffset(first);
    int b = keyOffset(second);
    int aEnd = a + keyLength(arena, first);
    int bEnd = b + keyLength(arena, second);
    return Arrays.compareUnsigned(arena, a, aEnd, arena, b, bEnd);
  }
}
