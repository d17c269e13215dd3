package io.github.coppicedb.top;

import java.util.Arrays;

/**
 * Records of an arena in the order of their keys, those of one key by their offsets, so that the
 * newest is last.
 *
 * @param records their offsets
 * @param shared for each record how many bytes its key shares with the key before it, {@link #SAME}
 *     if the two are equal; 0 for the first
 */
record SortedRecords(int[] records, int[] shared) {
  /** Where two keys begin to differ that are equal. */
  static final int SAME = -1;

  /**
   * Sorts the records in a part of an arena, but for masks.
   *
   * @param from the first record
   * @param to behind the last one
   * @param expected about how many there are
   */
  static SortedRecords of(byte[] arena, int from, int to, int expected) {
    long[] keys = new long[Math.min(expected, (to - from) / ArenaRecord.KEY)];
    int count = 0;
    for (int record = from; record < to; record = ArenaRecord.end(arena, record)) {
      if (ArenaRecord.kind(arena, record) != ArenaTop.MASK) {
        if (count == keys.length) {
          keys = Arrays.copyOf(keys, 2 * count + 1);
        }
        keys[count++] = RecordKey.of(arena, record);
      }
    }
    return of(arena, count == keys.length ? keys : Arrays.copyOf(keys, count));
  }

  /** Sorts some records; the array stays as it is. */
  static SortedRecords of(byte[] arena, int[] records) {
    long[] keys = new long[records.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = RecordKey.of(arena, records[i]);
    }
    return of(arena, keys);
  }

  private static SortedRecords of(byte[] arena, long[] keys) {
    int[] shared = new int[keys.length];
    if (!isInOrder(arena, keys, shared)) {
      RecordSorter.sort(arena, keys, shared);
    }
    return new SortedRecords(recordsOf(keys, shared), shared);
  }

  /** Returns whether keys ascend, or all descend, and are turned round; says what they share. */
  private static boolean isInOrder(byte[] arena, long[] keys, int[] shared) {
    boolean goesDown = keys.length > 1 && descends(arena, keys, shared, 1);
    for (int i = 2; i < keys.length; i++) {
      if (descends(arena, keys, shared, i) != goesDown) {
        return false;
      }
    }
    if (goesDown) {
      turnRound(keys, shared);
    }
    return true;
  }

  private static boolean descends(byte[] arena, long[] keys, int[] shared, int at) {
    long first = keys[at - 1];
    long second = keys[at];
    shared[at] = RecordKey.mismatch(arena, first, second, 0);
    return RecordKey.isBehind(arena, first, second, shared[at]);
  }

  private static void turnRound(long[] keys, int[] shared) {
    for (int low = 0, high = keys.length - 1; low < high; low++, high--) {
      long key = keys[low];
      keys[low] = keys[high];
      keys[high] = key;
    }
    for (int low = 1, high = shared.length - 1; low < high; low++, high--) {
      int bytes = shared[low];
      shared[low] = shared[high];
      shared[high] = bytes;
    }
  }

  /** Returns the offsets of records and takes from what keys share what is padding. */
  private static int[] recordsOf(long[] keys, int[] shared) {
    int[] records = new int[keys.length];
    int lastLength = 0;
    for (int i = 0; i < keys.length; i++) {
      records[i] = RecordKey.record(keys[i]);
      int length = RecordKey.length(keys[i]);
      int common = Math.min(shared[i], lastLength);
      shared[i] = i > 0 && common == length && length == lastLength ? SAME : common;
      lastLength = length;
    }
    return records;
  }
}
