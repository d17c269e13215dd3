package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.keys.KeyBlock;
import java.util.stream.IntStream;

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

  /** Returns random keys of the first of those given. */
  static KeyBlock of(KeyBlock keys, int first, int count) {
    Picks picks = new Picks();
    return KeyBlock.of(
        IntStream.range(0, count).mapToObj(i -> keys.get(picks.below(first))).toList());
  }
}
