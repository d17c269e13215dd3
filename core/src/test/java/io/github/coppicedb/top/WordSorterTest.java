package io.github.coppicedb.top;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sorting words against the sort of the platform. */
class WordSorterTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 40, 62})
  void sortsByWhatCounts(int ignoredBits) {
    System.out.println("seed " + seed);
    for (int length : new int[] {0, 1, 2, 16, 17, 18, 100, 129, 5000}) {
      for (int values : new int[] {1, 2, 3, 50, Integer.MAX_VALUE}) {
        long[] words = new long[length + 2];
        for (int i = 0; i < words.length; i++) {
          long value = random.nextInt(values) * 0x9E37_79B9_7F4A_7C15L;
          words[i] = value >>> 1;
        }
        check(words, ignoredBits);
      }
    }
  }

  @Test
  void sortsTheGreatestAndTheLeast() {
    long[] words = new long[200];
    for (int i = 0; i < words.length; i++) {
      words[i] = new long[] {0, 1, Long.MAX_VALUE, Long.MAX_VALUE - 1}[random.nextInt(4)];
    }
    check(words, 0);
    check(words, 1);
  }

  @Test
  void sortsWhatIsInOrderOrAlmost() {
    long[] words = new long[3000];
    Arrays.setAll(words, i -> 5L * i);
    check(words, 2);
    words[1500] = 1;
    check(words, 0);
    Arrays.setAll(words, i -> 5L * (words.length - i));
    check(words, 2);
    Arrays.setAll(words, i -> 5L * Math.min(i, words.length - i));
    check(words, 0);
  }

  /**
   * Makes every pivot one of the least numbers, by running the sort over an adversary's choices.
   */
  @Test
  void sortsWhatIsMadeToBeSlow() {
    long[] words = new long[4000];
    Arrays.setAll(words, i -> i);
    for (int end = 17; end <= words.length; end++) {
      // The three of which the pivot is the median: make the middle the second least.
      swap(words, end / 2, 1);
      swap(words, end - 1, end - 2);
    }
    check(words, 0);
  }

  private static void swap(long[] words, int i, int j) {
    long word = words[i];
    words[i] = words[j];
    words[j] = word;
  }

  /** Sorts all but the first and the last. */
  private static void check(long[] words, int ignoredBits) {
    long ignored = (1L << ignoredBits) - 1;
    long[] sorted = words.clone();
    WordSorter.sort(sorted, 1, sorted.length - 1, ignored);
    assertEquals(words[0], sorted[0]);
    assertEquals(words[words.length - 1], sorted[words.length - 1]);
    for (int i = 2; i < sorted.length - 1; i++) {
      assertEquals(true, (sorted[i - 1] & ~ignored) <= (sorted[i] & ~ignored));
    }
    long[] expected = words.clone();
    Arrays.sort(expected);
    Arrays.sort(sorted);
    assertArrayEquals(expected, sorted);
  }
}
