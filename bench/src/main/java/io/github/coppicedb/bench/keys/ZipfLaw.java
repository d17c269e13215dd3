package io.github.coppicedb.bench.keys;

import java.util.Arrays;
import java.util.Random;

/**
 * Draws ranks by Zipf's law: rank r, from 0, with a probability in proportion to 1 / (r + 1) to the
 * power of the exponent. One thread.
 */
final class ZipfLaw {
  private final double[] sums;
  private final Random random;

  ZipfLaw(int ranks, double exponent, Random random) {
    this.random = random;
    this.sums = new double[ranks];
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      // Strict arithmetic, so that each machine draws the same.
      sum += 1 / StrictMath.pow(rank + 1, exponent);
      sums[rank] = sum;
    }
  }

  int next() {
    int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
    return Math.min(found < 0 ? -found - 1 : found, sums.length - 1);
  }
}
