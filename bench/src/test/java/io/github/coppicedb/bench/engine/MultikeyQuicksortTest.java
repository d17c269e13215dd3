package io.github.coppicedb.bench.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class MultikeyQuicksortTest {
  @Test
  void sortsAsTheLibraryDoes() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      int letters = 1 + random.nextInt(round % 3 == 0 ? 256 : 3);
      byte[][] keys = new byte[random.nextInt(400)][];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = new byte[random.nextInt(30)];
        for (int j = 0; j < keys[i].length; j++) {
          keys[i][j] = (byte) -random.nextInt(letters);
        }
      }
      byte[][] expected = keys.clone();
      Arrays.sort(expected, Arrays::compareUnsigned);
      MultikeyQuicksort.sort(keys);
      assertArrayEquals(expected, keys, "seed " + seed);
    }
  }
}
