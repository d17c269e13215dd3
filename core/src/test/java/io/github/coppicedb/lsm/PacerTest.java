package io.github.coppicedb.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long writers wait at which fill of the backlog. */
final class PacerTest {
  private final List<Long> sleeps = new ArrayList<>();
  private final Pacer pacer =
      new Pacer(
          nanos -> {
            sleeps.add(nanos);
            return nanos;
          });

  private long slept() {
    return sleeps.stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void nobodyWaitsBelowHalf() {
    for (int i = 0; i < 1000; i++) {
      pacer.pause(1 << 20, 0.5);
    }
    assertTrue(sleeps.isEmpty());
    assertEquals(0, pacer.totalNanos());
  }

  @Test
  void theCostOfAByteGrowsWithoutAStep() {
    double last = 0;
    for (int i = 0; i <= 2000; i++) {
      double cost = Pacer.nanosPerByte(i / 1000.0);
      assertTrue(cost >= last, "it falls at " + i);
      assertTrue(cost - last < 20, "a step of %f at %d".formatted(cost - last, i));
      last = cost;
    }
    assertEquals(100, Pacer.nanosPerByte(1), 0.1);
    assertTrue(last > 1000, "beyond the cap: " + last);
  }

  @Test
  void theRateIsPacedAndNotTheCount() {
    for (int i = 0; i < 10_000; i++) {
      pacer.pause(100, 1);
    }
    long small = slept();
    sleeps.clear();
    for (int i = 0; i < 10; i++) {
      pacer.pause(100_000, 1);
    }
    assertTrue(Math.abs(small - 100_000_000) < 1_000_000, "small ones slept " + small);
    assertTrue(Math.abs(small - slept()) < 1_000_000, "large ones slept " + slept());
  }

  @Test
  void noSleepIsLongerThanTheBound() {
    for (int i = 0; i < 100; i++) {
      pacer.pause(1 << 24, 2);
    }
    assertTrue(sleeps.stream().allMatch(nanos -> nanos <= Pacer.LONGEST));
    assertEquals(slept(), pacer.totalNanos());
    assertEquals(Pacer.LONGEST, pacer.longestNanos());
    sleeps.clear();
    // What was owed is forgotten when there is room again.
    pacer.pause(1, 0.2);
    pacer.pause(1, 0.6);
    assertTrue(sleeps.isEmpty());
  }
}
