package io.github.coppicedb.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.format.ValueReference;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Random sorted sets of entries, and the comparison of a tree with them. */
final class TreeModel {
  private static final int SHIFT = 9;

  private TreeModel() {}

  record Value(byte kind, byte[] bytes) {}

  static NavigableMap<byte[], Value> empty() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  /** Draws keys that share prefixes, over a small or the whole alphabet. */
  static NavigableMap<byte[], Value> random(Random random, int most) {
    byte[][] alphabets = {{0, 1}, {0, (byte) 255}, {0, (byte) 255, 'a', 'b'}, {}};
    return random(random, most, alphabets[random.nextInt(alphabets.length)]);
  }

  static NavigableMap<byte[], Value> random(Random random, int most, byte[] alphabet) {
    int longest = 1 + random.nextInt(random.nextInt(5) == 0 ? 600 : 16);
    int kinds = random.nextInt(5);
    NavigableMap<byte[], Value> entries = empty();
    int wanted = random.nextInt(most + 1);
    byte[] last = {};
    for (int i = 0; i < wanted; i++) {
      byte[] key = key(random, alphabet, longest, last);
      entries.put(key, value(random, kinds));
      last = key;
    }
    repeat(entries, new int[] {0, 50, 95, 100}[random.nextInt(4)], random);
    if (random.nextBoolean()) {
      resemble(entries, random);
    }
    return entries;
  }

  /** Makes values of puts like one another, so that leaves store them coded. */
  private static void resemble(NavigableMap<byte[], Value> entries, Random random) {
    byte[] pattern = new byte[random.nextInt(random.nextInt(4) == 0 ? 6000 : 300)];
    random.nextBytes(pattern);
    entries.replaceAll(
        (key, value) -> {
          if (value.kind() != EntryKind.PUT || random.nextInt(8) == 0) {
            return value;
          }
          int shift = random.nextInt(4) == 0 ? random.nextInt(10) : 0;
          byte[] bytes = new byte[Math.max(0, pattern.length - random.nextInt(5) + shift)];
          for (int i = 0; i < bytes.length; i++) {
            bytes[i] = i < shift ? (byte) i : pattern[Math.min(i - shift, pattern.length - 1)];
          }
          for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
          }
          return new Value(EntryKind.PUT, bytes);
        });
  }

  /** Gives some entries, in a hundred, the value of the one before. */
  static void repeat(NavigableMap<byte[], Value> entries, int percent, Random random) {
    Value last = null;
    for (Map.Entry<byte[], Value> entry : entries.entrySet()) {
      if (last != null && random.nextInt(100) < percent) {
        entry.setValue(last);
      }
      last = entry.getValue();
    }
  }

  static byte[] key(Random random, byte[] alphabet, int longest, byte[] last) {
    byte[] key = new byte[random.nextInt(longest + 1)];
    random.nextBytes(key);
    for (int j = 0; j < key.length && alphabet.length > 0; j++) {
      key[j] = alphabet[Math.floorMod(key[j], alphabet.length)];
    }
    if (random.nextInt(3) > 0) {
      System.arraycopy(last, 0, key, 0, random.nextInt(Math.min(last.length, key.length) + 1));
    }
    return key;
  }

  private static Value value(Random random, int kinds) {
    int kind = kinds == 0 ? 4 : random.nextInt(kinds + 1);
    byte[] bytes =
        switch (kind) {
          case 0 -> new byte[random.nextInt(9)];
          case 1 -> new byte[random.nextInt(20) == 0 ? 3000 : 245 + random.nextInt(20)];
          case 3 -> new byte[ValueReference.BYTES];
          default -> new byte[0];
        };
    if (kind == 3) {
      ValueReference.write(MemorySegment.ofArray(bytes), 0, random.nextInt(5), 7, 9);
      return new Value(EntryKind.LARGE, bytes);
    }
    random.nextBytes(bytes);
    return new Value(kind == 2 ? EntryKind.TOMBSTONE : EntryKind.PUT, bytes);
  }

  static TreeSettings settings(Random random) {
    return new TreeSettings(
        64 + random.nextInt(random.nextBoolean() ? 100 : 3000), random.nextBoolean() ? 10 : 0);
  }

  static int lcp(byte[] a, byte[] b) {
    int mismatch = Arrays.mismatch(a, b);
    return mismatch < 0 ? a.length : mismatch;
  }

  /** Adds all entries to a builder and ends the tree. */
  static PackedTree build(
      TreeBuilder builder,
      NavigableMap<byte[], Value> entries,
      MaskedRanges masks,
      boolean isShifted) {
    byte[] last = {};
    for (Map.Entry<byte[], Value> entry : entries.entrySet()) {
      byte[] key = entry.getKey();
      Value value = entry.getValue();
      int lcp = lcp(last, key);
      byte[] source = isShifted ? shifted(key) : key;
      int at = isShifted ? SHIFT : 0;
      builder.add(lcp, source, at, key.length, value.kind, value.bytes, 0, value.bytes.length);
      last = key;
    }
    return builder.finish(masks);
  }

  private static byte[] shifted(byte[] key) {
    byte[] shifted = new byte[SHIFT + key.length + 1];
    Arrays.fill(shifted, (byte) 7);
    System.arraycopy(key, 0, shifted, SHIFT, key.length);
    return shifted;
  }

  /** Compares a tree with what it should hold, in every way that it can be read. */
  static void check(PackedTree tree, NavigableMap<byte[], Value> entries, Random random) {
    TreeChecker.Counts counts = tree.check();
    assertEquals(entries.size(), counts.entries());
    assertEquals(entries.size(), tree.entries());
    checkScan(List.of(tree), entries);
    List<byte[]> probes = probes(entries, random);
    checkFinds(tree, entries, probes);
    checkSeeks(tree, entries, probes);
    checkWalks(tree, entries, random);
  }

  static List<byte[]> probes(NavigableMap<byte[], Value> entries, Random random) {
    List<byte[]> probes = new ArrayList<>();
    probes.add(new byte[0]);
    probes.add(new byte[] {(byte) 255, (byte) 255, (byte) 255});
    for (byte[] key : entries.keySet()) {
      if (entries.size() > 300 && random.nextInt(entries.size()) > 300) {
        continue;
      }
      probes.add(key);
      probes.add(Arrays.copyOf(key, key.length + 1));
      if (key.length > 0) {
        probes.add(Arrays.copyOf(key, random.nextInt(key.length)));
        byte[] other = key.clone();
        other[random.nextInt(key.length)] += (byte) (random.nextBoolean() ? 1 : -1);
        probes.add(other);
      }
    }
    return probes;
  }

  private static void checkFinds(
      PackedTree tree, NavigableMap<byte[], Value> entries, List<byte[]> probes) {
    EntryValue found = new EntryValue();
    for (byte[] key : probes) {
      Value expected = entries.get(key);
      boolean present = tree.find(key, key.length, KeyHash.of(key, key.length), found);
      assertEquals(expected != null, present);
      if (expected != null) {
        checkValue(expected, found);
      }
    }
  }

  private static void checkValue(Value expected, EntryValue found) {
    assertEquals(expected.kind, found.kind());
    assertArrayEquals(expected.bytes, found.copy());
  }

  private static void checkSeeks(
      PackedTree tree, NavigableMap<byte[], Value> entries, List<byte[]> probes) {
    EntryCursor cursor = tree.cursor();
    for (byte[] key : probes) {
      checkAt(cursor, cursor.seekCeiling(key, key.length), entries.ceilingEntry(key));
      checkAt(cursor, cursor.seekFloor(key, key.length), entries.floorEntry(key));
    }
    checkAt(cursor, cursor.first(), entries.firstEntry());
    checkAt(cursor, cursor.last(), entries.lastEntry());
  }

  static void checkAt(EntryCursor cursor, boolean moved, Map.Entry<byte[], Value> expected) {
    assertEquals(expected != null, moved);
    if (expected != null) {
      assertArrayEquals(expected.getKey(), Arrays.copyOf(cursor.key(), cursor.keyLength()));
      EntryValue value = new EntryValue();
      cursor.value(value);
      checkValue(expected.getValue(), value);
      assertEquals(value.isTombstone(), cursor.isTombstone());
    }
  }

  /** Moves a cursor at random. */
  private static void checkWalks(
      PackedTree tree, NavigableMap<byte[], Value> entries, Random random) {
    EntryCursor cursor = tree.cursor();
    byte @Nullable [] position = null;
    int forward = 1 + random.nextInt(9);
    for (int step = 0; step < 3 * entries.size() + 5; step++) {
      Map.Entry<byte[], Value> expected;
      boolean moved;
      boolean up = random.nextInt(10) < forward;
      if (up) {
        expected = position == null ? entries.firstEntry() : entries.higherEntry(position);
        moved = cursor.next();
      } else {
        expected = position == null ? entries.lastEntry() : entries.lowerEntry(position);
        moved = cursor.previous();
      }
      checkAt(cursor, moved, expected);
      if (expected != null) {
        checkShared(cursor, position, expected.getKey(), up);
      }
      position = expected == null ? null : expected.getKey();
    }
  }

  /** A step up tells always what it shares, a step down mostly. */
  private static void checkShared(
      EntryCursor cursor, byte @Nullable [] from, byte[] key, boolean up) {
    int shared = cursor.shared();
    if (from == null) {
      assertEquals(EntryCursor.UNKNOWN, shared);
    } else if (up || shared != EntryCursor.UNKNOWN) {
      assertEquals(lcp(from, key), shared);
    }
  }

  /** Compares a scan over trees with the entries of all of them. */
  static void checkScan(List<PackedTree> run, NavigableMap<byte[], Value> entries) {
    TreeScanner scanner = new TreeScanner(run);
    byte[] last = {};
    for (Map.Entry<byte[], Value> entry : entries.entrySet()) {
      assertTrue(scanner.next());
      byte[] key = entry.getKey();
      if (!scanner.isFirstOfTree()) {
        assertEquals(lcp(last, key), scanner.lcp());
      }
      assertEquals(key.length, scanner.keyLength());
      byte[] rebuilt = Arrays.copyOf(last, key.length);
      if (key.length > 0) {
        rebuilt[scanner.lcp()] = (byte) scanner.criticalByte();
        int from = scanner.lcp() + 1;
        int at = scanner.keyAt() + from;
        System.arraycopy(scanner.bytes(), at, rebuilt, from, key.length - from);
      }
      assertArrayEquals(key, rebuilt);
      EntryValue value = new EntryValue();
      value.set(
          scanner.kind(),
          MemorySegment.ofArray(scanner.valueBytes()),
          scanner.valueAt(),
          scanner.valueLength());
      checkValue(entry.getValue(), value);
      last = key;
    }
    assertFalse(scanner.next());
    assertFalse(scanner.next());
  }
}
