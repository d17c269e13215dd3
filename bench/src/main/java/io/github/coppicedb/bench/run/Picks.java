package io.github.coppicedb.bench.run;

/**
 * Random choices, the same in each run and in the C program for LMDB: the high bits of a linear
 * congruential generator (Knuth's MMIX). One thread.
 */
final class Picks {
  private static final long MULTIPLIER = 6364136223846793005L;
  private static final long INCREMENT = 1442695040888963407L;

  private long state = 1;

  /** Returns the next number from 0 to below the bound. */
  int below(int bound) {
    state = state * MULTIPLIER + INCREMENT;
    return (int) ((state >>> 33) % bound);
  }

  /**
   * Returns random keys of the first of those given, copied, so that they stand side by side in
   * memory as keys do that were just read.
   */
  static byte[][] of(byte[][] keys, int first, int count) {
    Picks picks = new Picks();
    byte[][] picked = new byte[count][];
    for (int i = 0; i < count; i++) {
      picked[i] = keys[picks.below(first)].clone();
    }
    return picked;
  }
}
