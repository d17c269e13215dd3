package io.github.coppicedb.lsm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What layers hold, as a map, and random changes of both. Keys are short strings of few letters.
 */
final class LayerModel {
  final TreeMap<byte[], byte[]> map = new TreeMap<>(Arrays::compareUnsigned);
  private final Random random;
  private final int letters;
  private final int longest;
  private byte counter;

  LayerModel(Random random, int letters, int longest) {
    this.random = random;
    this.letters = letters;
    this.longest = longest;
  }

  byte[] key() {
    byte[] key = new byte[random.nextInt(longest + 1)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(letters) * 255 / (letters - 1));
    }
    return key;
  }

  /** Makes some changes in a top and in the map. */
  void change(ArenaTop top, int changes) {
    for (int i = 0; i < changes; i++) {
      int kind = random.nextInt(20);
      if (kind < 2) {
        hide(top, key(), kind == 0 && random.nextInt(4) == 0 ? null : key());
      } else if (kind < 8) {
        byte[] key = key();
        top.putTombstone(key, key.length);
        map.remove(key);
      } else {
        put(top, key());
      }
    }
  }

  void put(ArenaTop top, byte[] key) {
    byte[] value = {++counter, (byte) key.length};
    top.put(key, key.length, EntryKind.PUT, MemorySegment.ofArray(value), 0, value.length);
    map.put(key, value);
  }

  private void hide(ArenaTop top, byte[] low, byte @Nullable [] high) {
    top.maskRange(low, high);
    if (high == null) {
      map.tailMap(low, true).clear();
    } else if (Arrays.compareUnsigned(low, high) < 0) {
      map.subMap(low, true, high, false).clear();
    }
  }

  /** Compares everything: gets, both directions, and a random walk. */
  void check(LayerStack stack) {
    EntryCursor cursor = stack.cursor();
    checkScan(cursor, map, cursor.first(), EntryCursor::next);
    checkScan(cursor, map.descendingMap(), cursor.last(), EntryCursor::previous);
    EntryValue value = new EntryValue();
    for (int i = 0; i < 20; i++) {
      byte[] key = key();
      assertEquals(map.containsKey(key), stack.find(key, key.length, value));
      if (map.containsKey(key)) {
        assertArrayEquals(map.get(key), value.copy());
      }
      walk(cursor, key);
    }
  }

  private static void checkScan(
      EntryCursor cursor,
      NavigableMap<byte[], byte[]> entries,
      boolean found,
      Predicate<EntryCursor> step) {
    boolean on = found;
    byte @Nullable [] last = null;
    for (Map.Entry<byte[], byte[]> entry : entries.entrySet()) {
      assertTrue(on);
      assertOn(entry, cursor, last);
      on = step.test(cursor);
      last = entry.getKey();
    }
    assertFalse(on);
  }

  /** Seeks a key and goes to and fro from there. */
  private void walk(EntryCursor cursor, byte[] from) {
    boolean up = random.nextBoolean();
    Map.Entry<byte[], byte[]> at = up ? map.ceilingEntry(from) : map.floorEntry(from);
    assertEquals(
        at != null,
        up ? cursor.seekCeiling(from, from.length) : cursor.seekFloor(from, from.length));
    byte @Nullable [] last = null;
    int most = random.nextInt(1, 20);
    for (int i = 0; i < most && at != null; i++) {
      assertOn(at, cursor, last);
      last = at.getKey();
      up = random.nextInt(4) == 0 ? !up : up;
      at = up ? map.higherEntry(last) : map.lowerEntry(last);
      assertEquals(at != null, up ? cursor.next() : cursor.previous());
    }
  }

  private static void assertOn(
      Map.Entry<byte[], byte[]> entry, EntryCursor cursor, byte @Nullable [] last) {
    byte[] key = Arrays.copyOf(cursor.key(), cursor.keyLength());
    assertArrayEquals(entry.getKey(), key);
    EntryValue value = new EntryValue();
    cursor.value(value);
    assertArrayEquals(entry.getValue(), value.copy());
    assertFalse(cursor.isTombstone());
    if (last == null) {
      assertEquals(EntryCursor.UNKNOWN, cursor.shared());
    } else if (cursor.shared() != EntryCursor.UNKNOWN) {
      int mismatch = Arrays.mismatch(last, key);
      assertEquals(mismatch, cursor.shared());
    }
  }
}
