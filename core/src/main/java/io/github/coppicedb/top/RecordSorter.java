package io.github.coppicedb.top;

import java.util.Arrays;

/**
 * Sorts records of an arena by key, and records of one key by offset. What neighbours share falls
 * out of it.
 *
 * <p>A radix sort by words, from the first byte on. For a group of records whose keys share their
 * first {@code depth} bytes, the next eight bytes of each key are read into a word. The leading
 * bits that all words share are dropped, each record's place in the group replaces the last bits,
 * and the words are sorted as numbers, which touches no key. Neighbours that differ show by their
 * first differing bit what the keys share; those that are equal are a group again, deeper in the
 * keys. After caching multikey quicksort (Bentley and Sedgewick; Ng and Kakehi).
 *
 * <p>A key that ends inside the bytes compared is padded with zeros, and what keys share is meant
 * with the padding. Where padded keys are equal, those that ended come first, the shorter before
 * the longer. Groups wait on a stack of their own, so long keys do not nest calls. Confined to one
 * thread; used once.
 */
final class RecordSorter {
  /** From so many shared bits on the keys are read again behind them, for more that may differ. */
  private static final int MANY_SHARED = 16;

  private static final int OFFSET_BITS = 31;

  private final byte[] arena;
  private final long[] keys;
  private final int[] shared;
  private final long[] places;
  private final long[] words;
  private int[] groups = new int[96];
  private int groupsEnd;

  private RecordSorter(byte[] arena, long[] keys, int[] shared) {
    this.arena = arena;
    this.keys = keys;
    this.shared = shared;
    this.places = new long[keys.length];
    this.words = new long[keys.length];
  }

  /**
   * Sorts records in place.
   *
   * @param keys the records as {@link RecordKey}s
   * @param shared takes, from the second on, how many bytes each key and the one before it share,
   *     as if each were padded with zeros without end; at least all of them if the two are equal
   */
  static void sort(byte[] arena, long[] keys, int[] shared) {
    RecordSorter sorter = new RecordSorter(arena, keys, shared);
    sorter.leave(0, keys.length, 0);
    while (sorter.groupsEnd > 0) {
      sorter.groupsEnd -= 3;
      int[] groups = sorter.groups;
      int at = sorter.groupsEnd;
      sorter.sortGroup(groups[at], groups[at + 1], groups[at + 2]);
    }
  }

  /** Leaves for later records that are equal in their first bytes. */
  private void leave(int from, int to, int depth) {
    if (to - from == 2) {
      sortPair(from, depth);
    } else if (to - from > 2) {
      if (groupsEnd == groups.length) {
        groups = Arrays.copyOf(groups, groups.length * 2);
      }
      groups[groupsEnd] = from;
      groups[groupsEnd + 1] = to;
      groups[groupsEnd + 2] = depth;
      groupsEnd += 3;
    }
  }

  private void sortPair(int from, int depth) {
    long first = keys[from];
    long second = keys[from + 1];
    int mismatch = RecordKey.mismatch(arena, first, second, depth);
    shared[from + 1] = mismatch == SortedRecords.SAME ? RecordKey.length(first) : mismatch;
    if (RecordKey.isBehind(arena, first, second, mismatch)) {
      keys[from] = second;
      keys[from + 1] = first;
    }
  }

  private void sortGroup(int from, int to, int depth) {
    long differing = readWords(from, to, depth);
    if (differing == 0) {
      int next = depth + Long.BYTES;
      leave(sortEnded(from, to, next), to, next);
      return;
    }
    int lead = Long.numberOfLeadingZeros(differing);
    int begin = depth;
    if (lead >= MANY_SHARED) {
      begin += lead / Byte.SIZE;
      lead = Long.numberOfLeadingZeros(readWords(from, to, begin));
    }
    int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(to - from - 1);
    long placeMask = (1L << placeBits) - 1;
    for (int i = from; i < to; i++) {
      places[i] = keys[i];
      words[i] = (words[i] << lead >>> 1 & ~placeMask) | (i - from);
    }
    WordSorter.sort(words, from, to, placeMask);
    divide(from, to, begin, lead, placeBits);
  }

  /** Reads the words of keys at a depth and returns the bits in which they are not all equal. */
  private long readWords(int from, int to, int depth) {
    long first = RecordKey.word(arena, keys[from], depth);
    long differing = 0;
    for (int i = from; i < to; i++) {
      long word = RecordKey.word(arena, keys[i], depth);
      words[i] = word;
      differing |= word ^ first;
    }
    return differing;
  }

  /** Puts a group in the order of its words and leaves for later what is equal in them. */
  private void divide(int from, int to, int depth, int lead, int placeBits) {
    long placeMask = (1L << placeBits) - 1;
    int bits = Math.min(lead + Long.SIZE - 1 - placeBits, Long.SIZE);
    int next = depth + bits / Byte.SIZE;
    int groupFrom = from;
    long last = words[from];
    for (int i = from; i < to; i++) {
      long word = words[i];
      keys[i] = places[from + (int) (word & placeMask)];
      long differing = word ^ last;
      last = word;
      if (differing >>> placeBits != 0) {
        // The highest bit of a word is unused.
        int common = lead - 1 + Long.numberOfLeadingZeros(differing);
        shared[i] = depth + common / Byte.SIZE;
        leave(groupFrom, i, next);
        groupFrom = i;
      }
    }
    leave(groupFrom, to, next);
  }

  /** Brings the keys that end within the depth to the front, in order; returns where they end. */
  private int sortEnded(int from, int to, int depth) {
    int end = from;
    for (int i = from; i < to; i++) {
      int length = RecordKey.length(keys[i]);
      if (length <= depth) {
        words[end++] = (long) length << OFFSET_BITS | RecordKey.record(keys[i]);
      }
    }
    if (end == from) {
      return from;
    }
    int free = to;
    for (int i = to - 1; i >= from; i--) {
      if (RecordKey.length(keys[i]) > depth) {
        keys[--free] = keys[i];
      }
    }
    WordSorter.sort(words, from, end, 0);
    for (int i = from; i < end; i++) {
      int record = (int) words[i] & Integer.MAX_VALUE;
      keys[i] = RecordKey.of(record, (int) (words[i] >>> OFFSET_BITS));
    }
    Arrays.fill(shared, from + 1, Math.min(end + 1, to), depth);
    return end;
  }
}
