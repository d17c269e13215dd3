package io.github.coppicedb.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.top.ChangedKeys;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept of past commits, and for how long. */
final class EpochHistoryTest {
  private static final long BOUND = 1 << 14;

  private final EpochHistory history = new EpochHistory(BOUND);

  private static Epoch epoch() {
    return Epoch.of(new ArenaTop(true, 1000));
  }

  /** Makes an epoch with keys of some length, and a value of some length each. */
  private static Epoch epoch(int keys, int keyLength, int valueLength) {
    Epoch epoch = epoch();
    MemorySegment value = MemorySegment.ofArray(new byte[valueLength]);
    for (int i = 0; i < keys; i++) {
      epoch.top().put(key(i, keyLength), keyLength, EntryKind.PUT, value, 0, valueLength);
    }
    return epoch;
  }

  private static byte[] key(int number, int length) {
    byte[] key = new byte[length];
    key[0] = (byte) number;
    return key;
  }

  private static boolean knows(Epoch epoch, byte[] key) {
    ChangedKeys changes = epoch.changes();
    assertNotNull(changes);
    return changes.changedSince(0, key, key.length, KeyHash.of(key, key.length));
  }

  @Test
  void nobodyCanHoldWhatWasLetGo() {
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
  void whatTakesNoHeapIsNotForgottenBetweenOthersThatAre() {
    Epoch first = epoch(1, 8, 0);
    Epoch heavy = epoch(40, 1000, 0);
    assertTrue(history.hold(first));
    history.add(first);
    Version version = Version.keeping(List.of());
    assertEquals(List.of(), history.add(Epoch.of(version)));
    history.add(heavy);
    assertEquals(List.of(), history.add(epoch()));
    assertTrue(first.hasForgottenSince(0));
    assertTrue(heavy.hasForgottenSince(0));
    assertEquals(List.of(version), history.release(first));
  }

  @Test
  void valuesAreForgottenBeforeKeys() {
    Epoch first = epoch(3, 8, 100_000);
    assertTrue(history.hold(first));
    history.add(first);
    assertTrue(first.heapBytes() > BOUND);
    history.add(epoch());
    assertTrue(first.heapBytes() < BOUND);
    assertFalse(first.hasForgottenSince(0));
    assertTrue(knows(first, key(2, 8)));
    assertFalse(knows(first, key(3, 8)));
  }

  @Test
  void theNewestIsNeverForgotten() {
    Epoch first = epoch(40, 1000, 0);
    assertTrue(history.hold(first));
    history.add(first);
    assertFalse(first.hasForgottenSince(0));
    assertTrue(knows(first, key(39, 1000)));
  }

  @Test
  void theOldestAreForgottenFirst() {
    Epoch first = epoch(10, 1000, 0);
    Epoch second = epoch(10, 1000, 0);
    assertTrue(history.hold(first));
    history.add(first);
    history.add(second);
    assertFalse(first.hasForgottenSince(0));
    history.add(epoch());
    assertTrue(first.hasForgottenSince(0));
    assertFalse(second.hasForgottenSince(0));
    assertNull(first.changes());
    assertTrue(knows(second, key(9, 1000)));
  }

  @Test
  void whoBeganAtTheEndOfWhatIsForgottenMissesNothing() {
    Epoch first = epoch(40, 1000, 0);
    int end = first.top().bytes();
    assertTrue(history.hold(first));
    history.add(first);
    history.add(epoch());
    assertTrue(first.hasForgottenSince(end - 1));
    assertFalse(first.hasForgottenSince(end));
  }
}
