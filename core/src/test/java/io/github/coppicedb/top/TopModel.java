package io.github.coppicedb.top;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.MaskedRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a top must answer: a sorted map of what each key last became, and the ranges deleted. */
final class TopModel {
  /** What the key became: kind and bytes; no bytes for a tombstone. */
  record State(byte kind, byte[] value) {}

  final NavigableMap<byte[], State> entries;
  final List<MaskedRanges.Range> masks;

  TopModel() {
    this(new TreeMap<>(Arrays::compareUnsigned), new ArrayList<>());
  }

  private TopModel(NavigableMap<byte[], State> entries, List<MaskedRanges.Range> masks) {
    this.entries = entries;
    this.masks = masks;
  }

  TopModel copy() {
    return new TopModel(new TreeMap<>(entries), new ArrayList<>(masks));
  }

  void put(byte[] key, byte kind, byte[] value) {
    entries.put(key, new State(kind, value));
  }

  void mask(byte[] low, byte @Nullable [] high) {
    if (high != null && Arrays.compareUnsigned(low, high) >= 0) {
      return;
    }
    masks.add(new MaskedRanges.Range(low, high));
    NavigableMap<byte[], State> inside =
        high == null ? entries.tailMap(low, true) : entries.subMap(low, true, high, false);
    inside.replaceAll((key, state) -> new State(EntryKind.TOMBSTONE, new byte[0]));
  }

  void apply(TopModel later) {
    later.masks.forEach(range -> mask(range.low(), range.high()));
    entries.putAll(later.entries);
  }

  /** Compares all answers of a view with this model. */
  void check(TopView view, Random random, int alphabet, int maxLength) {
    assertEquals(MaskedRanges.of(masks).list().size(), view.masks().list().size());
    assertTrue(view.entriesAtMost() >= entries.size());
    EntryValue value = new EntryValue();
    for (Map.Entry<byte[], State> entry : entries.entrySet()) {
      checkFind(view, entry.getKey(), value);
    }
    for (int i = 0; i < 20; i++) {
      byte[] key = key(random, alphabet, maxLength);
      checkFind(view, key, value);
      boolean isMasked = masks.stream().anyMatch(range -> contains(range, key));
      assertEquals(isMasked, view.masks().covers(key, key.length));
    }
    checkScan(view.cursor());
    checkWalk(view.cursor(), random, alphabet, maxLength);
  }

  private void checkFind(TopView view, byte[] key, EntryValue value) {
    byte[] buffer = Arrays.copyOf(key, key.length + 3);
    boolean found = view.find(buffer, key.length, KeyHash.of(key, key.length), value);
    State expected = entries.get(key);
    assertEquals(expected != null, found);
    if (expected != null) {
      checkState(expected, value);
    }
  }

  static void checkState(@Nullable State expected, EntryValue value) {
    assertNotNull(expected);
    assertEquals(expected.kind, value.kind());
    assertArrayEquals(expected.value, value.copy());
  }

  private void checkScan(EntryCursor cursor) {
    for (byte[] key : entries.keySet()) {
      assertTrue(cursor.next());
      checkAt(cursor, key);
    }
    assertFalse(cursor.next());
    for (byte[] key : entries.descendingKeySet()) {
      assertTrue(cursor.previous());
      checkAt(cursor, key);
    }
    assertFalse(cursor.previous());
  }

  private void checkWalk(EntryCursor cursor, Random random, int alphabet, int maxLength) {
    byte @Nullable [] at = null;
    for (int i = 0; i < 60; i++) {
      byte[] sought = key(random, alphabet, maxLength);
      int move = random.nextInt(at == null ? 4 : 10);
      boolean found;
      if (move == 0) {
        at = entries.ceilingKey(sought);
        found = cursor.seekCeiling(sought, sought.length);
      } else if (move == 1) {
        at = entries.floorKey(sought);
        found = cursor.seekFloor(sought, sought.length);
      } else if (move == 2) {
        at = entries.isEmpty() ? null : entries.firstKey();
        found = cursor.first();
      } else if (move == 3) {
        at = entries.isEmpty() ? null : entries.lastKey();
        found = cursor.last();
      } else if (move < 7) {
        at = entries.higherKey(at);
        found = cursor.next();
      } else {
        at = entries.lowerKey(at);
        found = cursor.previous();
      }
      assertEquals(at != null, found);
      if (at != null) {
        checkAt(cursor, at);
      }
    }
  }

  private void checkAt(EntryCursor cursor, byte[] key) {
    assertArrayEquals(key, Arrays.copyOf(cursor.key(), cursor.keyLength()));
    EntryValue value = new EntryValue();
    cursor.value(value);
    checkState(entries.get(key), value);
  }

  static boolean contains(MaskedRanges.Range range, byte[] key) {
    return Arrays.compareUnsigned(range.low(), key) <= 0
        && (range.high() == null || Arrays.compareUnsigned(key, range.high()) < 0);
  }

  /** Returns a random key: short ones of few different bytes meet often and are prefixes. */
  static byte[] key(Random random, int alphabet, int maxLength) {
    byte[] key = new byte[random.nextInt(maxLength + 1)];
    for (int i = 0; i < key.length; i++) {
      int letter = random.nextInt(alphabet);
      key[i] = (byte) (alphabet == 2 ? -letter : letter);
    }
    if (key.length > 12 && random.nextInt(3) > 0) {
      Arrays.fill(key, 0, 12, (byte) 7);
    }
    return key;
  }
}
