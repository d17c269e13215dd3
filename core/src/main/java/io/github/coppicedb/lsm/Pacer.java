package io.github.coppicedb.lsm;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/**
 * Delays writers smoothly, so that merges keep up with them. A writer owes time for each byte that
 * it commits: nothing while the backlog is less than half full, then more with the square of what
 * is beyond, up to what lets 10 MB in each second; beyond the cap ten times as much soon. So a
 * burst and a long merge both become a slope, and a small commit never waits for a large merge.
 * What is owed is paid once it is worth a sleep, and at most {@link #LONGEST} at once.
 *
 * <p>Confined to the holder of the commit lock, but for the statistics.
 */
final class Pacer {
  /** The longest delay of one commit, in nanoseconds. */
  static final long LONGEST = 50_000_000;

  private static final long SHORTEST = 200_000;
  private static final double NANOS_PER_BYTE = 100;
  private static final double BEYOND = 36;
  private static final double STEEPEST = 1.25;

  private final LongUnaryOperator sleep;
  private final AtomicLong total = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();
  private double owed;

  /**
   * Makes a pacer.
   *
   * @param sleep sleeps so many nanoseconds and returns how many it were
   */
  Pacer(LongUnaryOperator sleep) {
    this.sleep = sleep;
  }

  /** Sleeps, shorter when the thread is interrupted; returns for how long. */
  static long sleep(long nanos) {
    long begin = System.nanoTime();
    LockSupport.parkNanos(nanos);
    return System.nanoTime() - begin;
  }

  /** Returns what a byte costs at a fill, in nanoseconds. */
  static double nanosPerByte(double fill) {
    double x = Math.clamp(2 * fill - 1, 0, 2 * STEEPEST - 1);
    return NANOS_PER_BYTE * x * x * (1 + BEYOND * Math.max(0, x - 1) / 2);
  }

  /** Lets the writer of so many bytes wait as long as the fill of the backlog asks for. */
  void pause(long bytes, double fill) {
    double cost = nanosPerByte(fill);
    if (cost == 0) {
      owed = 0;
      return;
    }
    // What one commit cannot pay the next ones pay, but no more than two of them.
    owed = Math.min(owed + bytes * cost, 2.0 * LONGEST);
    if (owed >= SHORTEST) {
      long took = sleep.applyAsLong(Math.min((long) owed, LONGEST));
      owed = Math.max(0, owed - took);
      note(took);
    }
  }

  /** Takes note of a delay. */
  void note(long nanos) {
    total.addAndGet(nanos);
    longest.accumulateAndGet(nanos, Math::max);
  }

  /** Returns the sum of all delays, in nanoseconds. */
  long totalNanos() {
    return total.get();
  }

  /** Returns the longest delay, in nanoseconds. */
  long longestNanos() {
    return longest.get();
  }
}
