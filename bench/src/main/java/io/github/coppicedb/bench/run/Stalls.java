package io.github.coppicedb.bench.run;

/**
 * The longest time that a few puts took: no single put can have stood still for longer. One thread.
 */
final class Stalls {
  /** How many puts lie between two looks at the clock. */
  static final int PUTS = 1024;

  private long last;
  private long longest;

  void begin() {
    last = System.nanoTime();
  }

  /** Called before each put, with its number. */
  void at(int put) {
    if ((put & (PUTS - 1)) == 0) {
      mark();
    }
  }

  /** Called after the last put. */
  void mark() {
    long now = System.nanoTime();
    longest = Math.max(longest, now - last);
    last = now;
  }

  double longestSeconds() {
    return longest / 1e9;
  }
}
