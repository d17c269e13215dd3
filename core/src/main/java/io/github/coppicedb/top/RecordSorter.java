package io.github.coppicedb.top;

import io.github.coppicedb.format.ByteArrays;
import java.util.Arrays;

/**
 * Sorts records of an arena by key, and records of one key by offset, so that the newest is last.
 *
 * <p>A radix sort by ranks of many bytes at a time, from the first byte on. For a group of records
 * that share their first {@code depth} bytes, the next bytes of each key, as many as fit above the
 * record's place in the group, are packed with that place into one long; the longs are sorted as
 * numbers, which touches no key; whoever is then equal in those bytes is a group again, whose
 * common prefix is skipped first. A small group is sorted by insertion on its next eight bytes.
 * After caching multikey quicksort (Bentley and Sedgewick; Ng and Kakehi), with the three-way
 * partition left to the sort of the platform.
 *
 * <p>A key that ends inside the bytes compared is padded with zeros; those that ended are the first
 * of their group, the shorter before the longer. Groups wait on a stack of their own, so long keys
 * do not nest calls. Confined to one thread; used once.
 */
final class RecordSorter {
  private static final int INSERTION_LIMIT = 20;
  private static final int[] NO_GROUPS = {};

  private final byte[] arena;
  private final int[] records;
  private final int[] places;
  private final long[] words;
  private int[] groups = NO_GROUPS;
  private int groupsEnd;

  private RecordSorter(byte[] arena, int[] records) {
    this.arena = arena;
    this.records = records;
    this.places = new int[records.length > INSERTION_LIMIT ? records.length : 0];
    this.words = new long[records.length];
  }

  /** Sorts records in place; they must come in ascending order of their offsets. */
  static void sort(byte[] arena, int[] records) {
    if (!isSorted(arena, records)) {
      new RecordSorter(arena, records).run();
    }
  }

  private static boolean isSorted(byte[] arena, int[] records) {
    for (int i = 1; i < records.length; i++) {
      if (ArenaRecord.compareKeys(arena, records[i - 1], records[i]) > 0) {
        return false;
      }
    }
    return true;
  }

  private void run() {
    push(0, records.length, 0);
    while (groupsEnd > 0) {
      groupsEnd -= 3;
      sortGroup(groups[groupsEnd], groups[groupsEnd + 1], groups[groupsEnd + 2]);
    }
  }

  private void push(int from, int to, int depth) {
    if (groupsEnd == groups.length) {
      groups = Arrays.copyOf(groups, Math.max(48, groups.length * 2));
    }
    groups[groupsEnd++] = from;
    groups[groupsEnd++] = to;
    groups[groupsEnd++] = depth;
  }

  /** Sorts records whose first bytes, padded with zeros, are equal. */
  private void sortGroup(int from, int to, int depth) {
    if (to - from <= INSERTION_LIMIT) {
      sortByInsertion(from, to, depth);
      return;
    }
    int begin = sortEnded(from, to, depth);
    if (to - begin <= INSERTION_LIMIT) {
      sortByInsertion(begin, to, depth);
    } else {
      sortByWords(begin, to, depth + commonPrefix(begin, to, depth));
    }
  }

  private int commonPrefix(int from, int to, int depth) {
    int first = ArenaRecord.keyOffset(arena, records[from]) + depth;
    int common = ArenaRecord.keyLength(arena, records[from]) - depth;
    for (int i = from + 1; i < to && common > 0; i++) {
      int key = ArenaRecord.keyOffset(arena, records[i]) + depth;
      int length = Math.min(common, ArenaRecord.keyLength(arena, records[i]) - depth);
      int differs = Arrays.mismatch(arena, first, first + length, arena, key, key + length);
      common = differs < 0 ? length : differs;
    }
    return common;
  }

  /** Brings the keys that end within the depth to the front, in order; returns where they end. */
  private int sortEnded(int from, int to, int depth) {
    int first = records[from];
    boolean mayEnd =
        depth == 0
            || ArenaRecord.keyLength(arena, first) < depth
            || arena[ArenaRecord.keyOffset(arena, first) + depth - 1] == 0;
    if (!mayEnd) {
      return from;
    }
    int end = from;
    for (int i = from; i < to; i++) {
      int length = ArenaRecord.keyLength(arena, records[i]);
      if (length <= depth) {
        words[end++] = (long) length << 32 | records[i];
      }
    }
    if (end == from) {
      return from;
    }
    int free = to;
    for (int i = to - 1; i >= from; i--) {
      if (ArenaRecord.keyLength(arena, records[i]) > depth) {
        records[--free] = records[i];
      }
    }
    Arrays.sort(words, from, end);
    for (int i = from; i < end; i++) {
      records[i] = (int) words[i];
    }
    return end;
  }

  private void sortByWords(int from, int to, int depth) {
    int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(to - from - 1);
    long placeMask = (1L << placeBits) - 1;
    for (int i = from; i < to; i++) {
      places[i] = records[i];
      words[i] = (word(records[i], depth) & ~placeMask) | (i - from);
    }
    Arrays.sort(words, from, to);
    int next = depth + (Long.SIZE - placeBits) / Byte.SIZE;
    int groupFrom = from;
    for (int i = from; i < to; i++) {
      records[i] = places[from + (int) (words[i] & placeMask)];
      if ((words[i] ^ words[groupFrom]) >>> placeBits != 0) {
        finishGroup(groupFrom, i, next);
        groupFrom = i;
      }
    }
    finishGroup(groupFrom, to, next);
  }

  private void finishGroup(int from, int to, int depth) {
    if (to - from > 1) {
      push(from, to, depth);
    }
  }

  private void sortByInsertion(int from, int to, int depth) {
    for (int i = from; i < to; i++) {
      int record = records[i];
      long word = word(record, depth);
      int at = i;
      while (at > from
          && (words[at - 1] > word
              || (words[at - 1] == word && isAfter(records[at - 1], record, depth)))) {
        words[at] = words[at - 1];
        records[at] = records[at - 1];
        at--;
      }
      words[at] = word;
      records[at] = record;
    }
  }

  /** Returns whether the first of two records that are equal in their words is the greater. */
  private boolean isAfter(int first, int second, int depth) {
    int a = ArenaRecord.keyLength(arena, first);
    int b = ArenaRecord.keyLength(arena, second);
    if (a <= depth || b <= depth) {
      return a > b;
    }
    return ArenaRecord.compareKeysFrom(arena, first, second, depth) > 0;
  }

  /** Returns the eight bytes of a key from the depth on; their order is that of signed numbers. */
  private long word(int record, int depth) {
    int rest = ArenaRecord.keyLength(arena, record) - depth;
    if (rest <= 0) {
      return Long.MIN_VALUE;
    }
    long bytes = ByteArrays.ordered64(arena, ArenaRecord.keyOffset(arena, record) + depth);
    int padding = Math.max(0, Long.BYTES - rest) * Byte.SIZE;
    return (bytes & (-1L << padding)) ^ Long.MIN_VALUE;
  }
}
