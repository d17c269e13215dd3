package io.github.coppicedb.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The hash stands in files: its values are fixed, and must spread well. */
class KeyHashTest {
  @Test
  void valuesNeverChange() {
    byte[] key = new byte[40];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (i * 7 + 1);
    }
    long all = 0;
    for (int length = 0; length <= key.length; length++) {
      all = all * 31 + KeyHash.of(key, length);
    }
    assertEquals(-7634094405050803152L, KeyHash.of(key, 0));
    assertEquals(766499592225133244L, KeyHash.of(key, 40));
    assertEquals(-5744497265746948149L, all);
  }

  @Test
  void onlyTheKeysBytesCount() {
    for (int length = 0; length < 60; length++) {
      byte[] exact = new byte[length];
      Arrays.fill(exact, (byte) 9);
      byte[] inside = new byte[length + 20];
      Arrays.fill(inside, (byte) 77);
      System.arraycopy(exact, 0, inside, 5, length);
      assertEquals(KeyHash.of(exact, length), KeyHash.of(inside, 5, length));
    }
  }

  @Test
  void everyByteAndTheLengthCount() {
    Set<Long> seen = new HashSet<>();
    int keys = 0;
    for (int length = 0; length < 70; length++) {
      byte[] key = new byte[length];
      assertTrue(seen.add(KeyHash.of(key, length)));
      keys++;
      for (int i = 0; i < length; i++) {
        for (int bit = 0; bit < 8; bit++) {
          key[i] ^= (byte) (1 << bit);
          assertTrue(seen.add(KeyHash.of(key, length)));
          keys++;
          key[i] ^= (byte) (1 << bit);
        }
      }
    }
    assertEquals(keys, seen.size());
  }

  @Test
  void changingOneBitChangesAboutHalf() {
    byte[] key = new byte[24];
    for (int length : new int[] {1, 3, 5, 8, 12, 16, 24}) {
      long changed = 0;
      for (int bit = 0; bit < 8 * length; bit++) {
        long before = KeyHash.of(key, length);
        key[bit / 8] ^= (byte) (1 << bit % 8);
        changed += Long.bitCount(before ^ KeyHash.of(key, length));
        key[bit / 8] ^= (byte) (1 << bit % 8);
      }
      double mean = changed / (8.0 * length);
      assertTrue(mean > 26 && mean < 38, "mean of changed bits at " + length + ": " + mean);
    }
  }
}
