package io.github.coppicedb.tx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.engine.Engine;
import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.MemoryStorage;
import io.github.coppicedb.tree.EntryValue;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Cursors over ranges of snapshots and of transactions that change while they walk. */
final class RangeCursorTest {
  private static final byte[] LEAST = {};

  private final Engine engine =
      Engine.open(
          new MemoryStorage(), DatabaseOptions.defaults().withMergeThreads(0), Tuning.tiny());

  @AfterEach
  void close() {
    engine.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void put(Transaction transaction, byte[] key, byte[] value) {
    transaction.put(key, key.length, MemorySegment.ofArray(value));
  }

  private static void put(Transaction transaction, String... keys) {
    for (String key : keys) {
      put(transaction, bytes(key), bytes("value of " + key));
    }
  }

  private static void delete(Transaction transaction, String key) {
    transaction.delete(bytes(key), bytes(key).length);
  }

  private Transaction with(String... keys) {
    Transaction transaction = engine.begin();
    put(transaction, keys);
    return transaction;
  }

  private static RangeCursor cursor(View view, String low, String high) {
    return new RangeCursor(view, bytes(low), bytes(high));
  }

  private static byte[] key(RangeCursor cursor) {
    return Arrays.copyOf(cursor.key(), cursor.keyLength());
  }

  private static byte[] value(RangeCursor cursor) {
    EntryValue value = new EntryValue();
    cursor.value(value);
    return value.copy();
  }

  private static void assertOn(String key, boolean moved, RangeCursor cursor) {
    assertTrue(moved);
    assertTrue(cursor.isOnKey());
    assertArrayEquals(bytes(key), key(cursor));
    assertArrayEquals(bytes("value of " + key), value(cursor));
  }

  private static void assertNowhere(boolean moved, RangeCursor cursor) {
    assertFalse(moved);
    assertFalse(cursor.isOnKey());
  }

  @Test
  void theLowEndIsInsideAndTheHighEndIsNot() {
    RangeCursor cursor = cursor(with("a", "b", "c", "d", "e"), "b", "d");
    assertFalse(cursor.isOnKey());
    assertOn("b", cursor.first(), cursor);
    assertOn("c", cursor.next(), cursor);
    assertNowhere(cursor.next(), cursor);
    assertOn("c", cursor.last(), cursor);
    assertOn("b", cursor.previous(), cursor);
    assertNowhere(cursor.previous(), cursor);
  }

  @Test
  void aSeekStaysInside() {
    RangeCursor cursor = cursor(with("a", "b", "d", "e"), "b", "e");
    assertOn("b", cursor.seekCeiling(bytes("a"), 1), cursor);
    assertOn("d", cursor.seekCeiling(bytes("c"), 1), cursor);
    assertNowhere(cursor.seekCeiling(bytes("e"), 1), cursor);
    assertOn("d", cursor.seekFloor(bytes("z"), 1), cursor);
    assertOn("d", cursor.seekFloor(bytes("e"), 1), cursor);
    assertOn("b", cursor.seekFloor(bytes("cz"), 2), cursor);
    assertOn("b", cursor.seekFloor(bytes("bxyz"), 1), cursor);
    assertNowhere(cursor.seekFloor(bytes("a"), 1), cursor);
  }

  @Test
  void behindAnEndTheOtherDirectionComesBack() {
    RangeCursor cursor = cursor(with("a", "b"), "", "z");
    assertOn("a", cursor.next(), cursor);
    assertOn("b", cursor.next(), cursor);
    assertNowhere(cursor.next(), cursor);
    assertNowhere(cursor.next(), cursor);
    assertOn("b", cursor.previous(), cursor);
    assertOn("a", cursor.previous(), cursor);
    assertNowhere(cursor.previous(), cursor);
    assertNowhere(cursor.previous(), cursor);
    assertOn("a", cursor.next(), cursor);
  }

  @Test
  void fromNowherePreviousIsTheLast() {
    RangeCursor cursor = cursor(with("a", "b"), "", "z");
    assertOn("b", cursor.previous(), cursor);
  }

  @Test
  void anEmptyRangeHasNoKeys() {
    RangeCursor cursor = cursor(with("a", "b"), "b", "b");
    assertNowhere(cursor.first(), cursor);
    assertNowhere(cursor.last(), cursor);
    assertNowhere(cursor.seekCeiling(bytes("a"), 1), cursor);
    assertNowhere(cursor.seekFloor(bytes("b"), 1), cursor);
    assertNowhere(cursor.next(), cursor);
    assertNowhere(cursor.previous(), cursor);
  }

  @Test
  void theKeyUnderTheCursorMayGo() {
    Transaction transaction = with("a", "b", "c");
    RangeCursor cursor = cursor(transaction, "", "z");
    assertOn("b", cursor.seekCeiling(bytes("b"), 1), cursor);
    delete(transaction, "b");
    assertOn("b", true, cursor);
    assertOn("c", cursor.next(), cursor);
    assertOn("a", cursor.previous(), cursor);
    transaction.deleteRange(LEAST, null);
    assertOn("a", true, cursor);
    assertNowhere(cursor.next(), cursor);
    assertNowhere(cursor.previous(), cursor);
  }

  @Test
  void keysThatComeBesideTheCursorAreFound() {
    Transaction transaction = with("b", "d");
    RangeCursor cursor = cursor(transaction, "", "z");
    assertOn("b", cursor.first(), cursor);
    put(transaction, "a", "c");
    assertOn("c", cursor.next(), cursor);
    assertOn("b", cursor.previous(), cursor);
    assertOn("a", cursor.previous(), cursor);
    assertOn("d", cursor.last(), cursor);
    put(transaction, "e");
    assertOn("e", cursor.last(), cursor);
    assertNowhere(cursor.next(), cursor);
    put(transaction, "f");
    assertNowhere(cursor.next(), cursor);
    assertOn("f", cursor.previous(), cursor);
  }

  @Test
  void theValueIsTheOneThatTheCursorCameTo() {
    Transaction transaction = with("a", "b");
    Transaction.Mark mark = transaction.mark();
    put(transaction, bytes("a"), bytes("2"));
    RangeCursor cursor = cursor(transaction, "", "z");
    assertTrue(cursor.first());
    put(transaction, bytes("a"), bytes("3"));
    assertArrayEquals(bytes("2"), value(cursor));
    transaction.rollbackTo(mark);
    put(transaction, bytes("x"), new byte[100]);
    assertArrayEquals(bytes("2"), value(cursor));
    assertOn("a", cursor.first(), cursor);
  }

  @Test
  void theKeyIsACopy() {
    RangeCursor cursor = cursor(with("a", "b"), "", "z");
    byte[] target = bytes("a");
    assertOn("a", cursor.seekCeiling(target, 1), cursor);
    target[0] = 'x';
    assertOn("b", cursor.next(), cursor);
  }

  @Test
  void nothingIsReadBehindTheEnd() {
    Transaction transaction = with("a", "b");
    RangeCursor cursor = cursor(transaction, "", "z");
    transaction.commit();
    assertThrows(ClosedException.class, cursor::next);
    ReadSnapshot snapshot = engine.snapshot();
    RangeCursor other = cursor(snapshot, "", "z");
    assertOn("a", other.first(), other);
    snapshot.close();
    assertThrows(ClosedException.class, other::next);
    assertThrows(ClosedException.class, other::last);
  }

  /** A cursor beside the model of it: the map that it walks over, and where it is. */
  private static final class Pair {
    private final RangeCursor actual;
    private final NavigableMap<byte[], byte[]> map;
    private final byte[] low;
    private final byte @Nullable [] high;
    private byte @Nullable [] key;
    private byte[] value = LEAST;
    // Where it stands without a key: behind the last one, before the first one, or nowhere.
    private int side;

    Pair(View view, NavigableMap<byte[], byte[]> map, byte[] low, byte @Nullable [] high) {
      this.actual = new RangeCursor(view, low, high);
      this.map = map;
      this.low = low;
      this.high = high;
    }

    private void came(String move, byte @Nullable [] to, int sideWithout, boolean moved) {
      boolean inside =
          to != null
              && Arrays.compareUnsigned(to, low) >= 0
              && (high == null || Arrays.compareUnsigned(to, high) < 0);
      key = inside ? to : null;
      value = inside && to != null ? map.getOrDefault(to, LEAST) : LEAST;
      side = inside ? 0 : sideWithout;
      assertEquals(inside, moved, move);
      check();
    }

    void check() {
      assertEquals(key != null, actual.isOnKey());
      if (key != null) {
        assertArrayEquals(key, key(actual));
        assertArrayEquals(value, value(actual));
      }
    }

    private byte @Nullable [] lastKey() {
      return high == null ? (map.isEmpty() ? null : map.lastKey()) : map.lowerKey(high);
    }

    void first() {
      came("first", map.ceilingKey(low), 1, actual.first());
    }

    void last() {
      came("last", lastKey(), -1, actual.last());
    }

    void next() {
      byte[] from = key;
      if (from != null) {
        came("next", map.higherKey(from), 1, actual.next());
      } else {
        came("next", side > 0 ? null : map.ceilingKey(low), 1, actual.next());
      }
    }

    void previous() {
      byte[] from = key;
      if (from != null) {
        came("previous", map.lowerKey(from), -1, actual.previous());
      } else {
        came("previous", side < 0 ? null : lastKey(), -1, actual.previous());
      }
    }

    void seekCeiling(byte[] target) {
      byte[] from = Arrays.compareUnsigned(target, low) < 0 ? low : target;
      came("ceiling", map.ceilingKey(from), 1, actual.seekCeiling(target, target.length));
    }

    void seekFloor(byte[] target) {
      boolean above = high != null && Arrays.compareUnsigned(target, high) >= 0;
      byte[] to = above ? lastKey() : map.floorKey(target);
      came("floor", to, -1, actual.seekFloor(target, target.length));
    }
  }

  private static byte[] key(Random random) {
    byte[] key = new byte[random.nextInt(4)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(5) * 63);
    }
    return key;
  }

  private static byte[] value(Random random) {
    byte[] value = new byte[random.nextInt(30) == 0 ? 400 : random.nextInt(30)];
    random.nextBytes(value);
    return value;
  }

  private static void change(Transaction tx, NavigableMap<byte[], byte[]> map, Random random) {
    byte[] key = key(random);
    switch (random.nextInt(10)) {
      case 0 -> {
        byte[] high = random.nextInt(5) == 0 ? null : key(random);
        tx.deleteRange(key, high);
        map.keySet()
            .removeIf(
                it ->
                    Arrays.compareUnsigned(it, key) >= 0
                        && (high == null || Arrays.compareUnsigned(it, high) < 0));
      }
      case 1, 2, 3 -> {
        tx.delete(key, key.length);
        map.remove(key);
      }
      default -> {
        byte[] value = value(random);
        put(tx, key, value);
        map.put(key, value);
      }
    }
  }

  private static void move(Pair pair, Random random) {
    switch (random.nextInt(12)) {
      case 0 -> pair.first();
      case 1 -> pair.last();
      case 2 -> pair.seekCeiling(key(random));
      case 3 -> pair.seekFloor(key(random));
      case 4, 5, 6, 7 -> pair.next();
      default -> pair.previous();
    }
  }

  /** Moves and changes by turns; a snapshot's cursors see none of the changes. */
  @RepeatedTest(10)
  void walksAsOverAMap() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    NavigableMap<byte[], byte[]> committed = new TreeMap<>(Arrays::compareUnsigned);
    for (int round = 0; round < 6; round++) {
      Transaction tx = engine.begin();
      try (ReadSnapshot snapshot = engine.snapshot()) {
        NavigableMap<byte[], byte[]> map = new TreeMap<>(committed);
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          View view = i < 4 ? tx : snapshot;
          byte[] high = random.nextBoolean() ? null : key(random);
          byte[] low = random.nextBoolean() ? LEAST : key(random);
          pairs.add(new Pair(view, i < 4 ? map : committed, low, high));
        }
        walk(tx, map, pairs, random);
        tx.commit();
        pairs.subList(4, 6).forEach(pair -> move(pair, random));
        committed = map;
      }
      if (random.nextInt(3) == 0) {
        engine.drain();
      }
    }
  }

  @RepeatedTest(10)
  void whatARangeHoldsIsWalkedToBothEnds() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    NavigableMap<byte[], byte[]> map = new TreeMap<>(Arrays::compareUnsigned);
    for (int round = 0; round < 3; round++) {
      Transaction tx = engine.begin();
      for (int i = 0; i < 300; i++) {
        byte[] key = longKey(random);
        map.put(key, key);
        put(tx, key, key);
      }
      tx.commit();
      try (ReadSnapshot snapshot = engine.snapshot()) {
        for (int i = 0; i < 60; i++) {
          checkRange(snapshot, map, longKey(random), longKey(random));
        }
      }
      engine.drain();
    }
  }

  private static byte[] longKey(Random random) {
    byte[] key = new byte[random.nextInt(12)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(3) * 127);
    }
    return key;
  }

  private static void checkRange(
      View view, NavigableMap<byte[], byte[]> map, byte[] one, byte[] other) {
    boolean isAscending = Arrays.compareUnsigned(one, other) < 0;
    byte[] low = isAscending ? one : other;
    byte[] high = isAscending ? other : one;
    RangeCursor cursor = new RangeCursor(view, low, high);
    NavigableMap<byte[], byte[]> inside = map.subMap(low, true, high, false);
    for (byte[] key : inside.keySet()) {
      assertTrue(cursor.next());
      assertArrayEquals(key, key(cursor));
    }
    assertNowhere(cursor.next(), cursor);
    for (byte[] key : inside.descendingKeySet()) {
      assertTrue(cursor.previous());
      assertArrayEquals(key, key(cursor));
      assertArrayEquals(key, value(cursor));
    }
    assertNowhere(cursor.previous(), cursor);
  }

  private static void walk(
      Transaction tx, NavigableMap<byte[], byte[]> map, List<Pair> pairs, Random random) {
    int calm = random.nextInt(4);
    for (int step = 0; step < 400; step++) {
      if (random.nextInt(4) >= calm) {
        change(tx, map, random);
      }
      Pair pair = pairs.get(random.nextInt(pairs.size()));
      pair.check();
      move(pair, random);
    }
  }
}
