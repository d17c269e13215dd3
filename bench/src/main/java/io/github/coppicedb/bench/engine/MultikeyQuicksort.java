package io.github.coppicedb.bench.engine;

import java.util.Arrays;

/**
 * Sorts byte arrays by their unsigned bytes: caching multikey quicksort (Bentley and Sedgewick
 * 1997; Ng and Kakehi 2007). Each key's next seven bytes stand beside its reference in one word,
 * with how many of them there are lowest, so that most steps touch no key. The cached words are
 * moved together with the references.
 */
public final class MultikeyQuicksort {
  private static final int CACHED = 7;
  private static final int MORE = CACHED + 1;
  private static final int SMALL = 16;

  private final byte[][] keys;
  private final long[] words;

  private MultikeyQuicksort(byte[][] keys) {
    this.keys = keys;
    this.words = new long[keys.length];
  }

  /** Sorts in place. */
  public static void sort(byte[][] keys) {
    MultikeyQuicksort sorting = new MultikeyQuicksort(keys);
    sorting.fill(0, keys.length, 0);
    sorting.sort(0, keys.length, 0);
  }

  private void fill(int from, int to, int depth) {
    for (int i = from; i < to; i++) {
      words[i] = word(keys[i], depth);
    }
  }

  private static long word(byte[] key, int depth) {
    int left = Math.clamp(key.length - depth, 0, MORE);
    long word = 0;
    for (int i = 0; i < Math.min(left, CACHED); i++) {
      word |= (key[depth + i] & 0xffL) << (56 - 8 * i);
    }
    // The sign turned, so that words compare as unsigned ones.
    return (word | left) ^ Long.MIN_VALUE;
  }

  // Recursion: a third at the least of what is left by the pivot, or seven bytes deeper.
  private void sort(int start, int end, int depth) {
    int from = start;
    while (end - from > SMALL) {
      long pivot = pivot(from, end);
      int low = from;
      int high = end;
      for (int i = from; i < high; ) {
        if (words[i] < pivot) {
          swap(low++, i++);
        } else if (words[i] > pivot) {
          swap(i, --high);
        } else {
          i++;
        }
      }
      sort(from, low, depth);
      if ((pivot & 0xff) == MORE) {
        fill(low, high, depth + CACHED);
        sort(low, high, depth + CACHED);
      }
      from = high;
    }
    insertionSort(from, end, depth);
  }

  private long pivot(int from, int end) {
    long a = words[from + (end - from) / 4];
    long b = words[from + (end - from) / 2];
    long c = words[end - (end - from) / 4];
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  private void insertionSort(int from, int to, int depth) {
    for (int i = from + 1; i < to; i++) {
      byte[] key = keys[i];
      long word = words[i];
      int j = i;
      for (; j > from && isBelow(word, key, words[j - 1], keys[j - 1], depth); j--) {
        keys[j] = keys[j - 1];
        words[j] = words[j - 1];
      }
      keys[j] = key;
      words[j] = word;
    }
  }

  private static boolean isBelow(long aWord, byte[] a, long bWord, byte[] b, int depth) {
    if (aWord != bWord || (aWord & 0xff) < MORE) {
      return aWord < bWord;
    }
    int from = depth + CACHED;
    return Arrays.compareUnsigned(a, from, a.length, b, from, b.length) < 0;
  }

  private void swap(int i, int j) {
    byte[] key = keys[i];
    keys[i] = keys[j];
    keys[j] = key;
    long word = words[i];
    words[i] = words[j];
    words[j] = word;
  }
}
