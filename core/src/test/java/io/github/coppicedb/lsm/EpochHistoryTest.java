package io.github.coppicedb.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.top.ArenaTop;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept of past commits, and for how long. */
final class EpochHistoryTest {
  private static Epoch epoch() {
    return Epoch.of(new ArenaTop(true, 1000));
  }

  @Test
  void nobodyCanHoldWhatWasLetGo() {
    EpochHistory history = new EpochHistory(1 << 20);
    Epoch epoch = epoch();
    assertTrue(history.hold(epoch));
    history.release(epoch);
    assertTrue(history.hold(epoch));
    history.add(epoch);
    assertTrue(history.hold(epoch));
    history.release(epoch);
    assertFalse(epoch.isOver());
    history.release(epoch);
    assertTrue(epoch.isOver());
    assertFalse(history.hold(epoch));
  }

  @Test
  void filesAreKeptAsLongAsAnOlderEpochIsHeld() {
    EpochHistory history = new EpochHistory(1 << 20);
    Epoch first = epoch();
    assertTrue(history.hold(first));
    assertEquals(List.of(), history.add(first));
    Version version = Version.keeping(List.of());
    assertEquals(List.of(), history.add(Epoch.of(version)));
    List<Version> free = history.release(first);
    assertEquals(1, free.size());
    assertSame(version, free.getFirst());
  }

  @Test
  void theOldestAreForgottenFirst() {
    Epoch first = epoch();
    EpochHistory history = new EpochHistory(5 * first.heapBytes() / 2);
    assertTrue(history.hold(first));
    history.add(first);
    Epoch second = epoch();
    history.add(second);
    assertFalse(first.isForgotten());
    Epoch third = epoch();
    history.add(third);
    assertTrue(first.isForgotten());
    assertFalse(second.isForgotten());
    assertFalse(third.isForgotten());
  }
}
