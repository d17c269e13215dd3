package io.github.coppicedb.top;

import java.util.Arrays;

/**
 * Sorts numbers of which the low bits do not count. A quicksort that divides without branches that
 * depend on the numbers (after Lomuto; Peters, "Branchless Lomuto Partitioning"), so that nothing
 * is mispredicted; a row of equal numbers is divided off whole and left alone. A division that goes
 * badly time and again is left to the sort of the platform, which is never quadratic. Stateless.
 */
final class WordSorter {
  private static final int INSERTION_LIMIT = 16;
  private static final int NINE_LIMIT = 128;
  private static final int MAX_DIVISIONS = 64;

  private WordSorter() {}

  /**
   * Sorts a part of an array, not in a stable way.
   *
   * @param words the numbers, none of them negative
   * @param from the first
   * @param to behind the last
   * @param ignored the low bits that do not count, as a mask; not all of the 63
   */
  static void sort(long[] words, int from, int to, long ignored) {
    sort(words, from, to, ignored, MAX_DIVISIONS);
  }

  private static void sort(long[] words, int begin, int end, long ignored, int divisions) {
    int from = begin;
    int to = end;
    for (int left = divisions; to - from > INSERTION_LIMIT; left--) {
      if (left == 0) {
        Arrays.sort(words, from, to);
        return;
      }
      long pivot = pivot(words, from, to);
      int middle = divide(words, from, to, pivot & ~ignored);
      if (middle == from) {
        // None is less: those that are equal need no more work.
        from = divide(words, from, to, (pivot | ignored) + 1);
      } else if (middle - from < to - middle) {
        sort(words, from, middle, ignored, left);
        from = middle;
      } else {
        sort(words, middle, to, ignored, left);
        to = middle;
      }
    }
    sortByInsertion(words, from, to, ignored);
  }

  /** Brings the words below the pivot to the front and returns where they end. */
  private static int divide(long[] words, int from, int to, long pivot) {
    int end = from;
    for (int i = from; i < to; i++) {
      long word = words[i];
      words[i] = words[end];
      words[end] = word;
      // Neither is negative, so the difference has the sign of the comparison.
      end += (int) ((word - pivot) >>> 63);
    }
    return end;
  }

  private static long pivot(long[] words, int from, int to) {
    int middle = (from + to) >>> 1;
    if (to - from <= NINE_LIMIT) {
      return median(words[from], words[middle], words[to - 1]);
    }
    return median(
        median(words[from], words[from + 1], words[from + 2]),
        median(words[middle - 1], words[middle], words[middle + 1]),
        median(words[to - 3], words[to - 2], words[to - 1]));
  }

  private static long median(long a, long b, long c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  private static void sortByInsertion(long[] words, int from, int to, long ignored) {
    for (int i = from + 1; i < to; i++) {
      long word = words[i];
      long greatestEqual = word | ignored;
      int at = i;
      while (at > from && words[at - 1] > greatestEqual) {
        words[at] = words[at - 1];
        at--;
      }
      words[at] = word;
    }
  }
}
