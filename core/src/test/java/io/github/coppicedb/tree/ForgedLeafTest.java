package io.github.coppicedb.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.format.TreeFileFormat;
import io.github.coppicedb.storage.MemoryStorage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A leaf with one wrong field and a right checksum, met by every kind of move after an open: the
 * damage is told, naming the leaf, before a wrong key is, and no cursor goes on behind it.
 */
class ForgedLeafTest {
  private static final String NAME = "000007.tree";

  /** Entry of the forged leaf that a forgery is about, not the first of its group. */
  private static final int I = 21;

  private static final int CODED_BY_FIRST_OR_ALONE =
      PackedPage.CODED_BY_FIRST | PackedPage.CODED_ALONE;

  private final MemoryStorage storage = new MemoryStorage();
  private final NavigableMap<byte[], TreeModel.Value> entries = TreeModel.empty();
  private final List<Integer> leaves = new ArrayList<>();
  private byte[] good = {};

  private interface Forgery {
    void make(MemorySegment page, int n, int flags);
  }

  private enum Values {
    NONE,
    DIFFERENT,
    REPEATED,
    CODED,
    ONE
  }

  private record Named(String name, Forgery forgery) {}

  /** All that a page may say wrongly, each for itself. */
  private static List<Named> forgeries(Values values) {
    List<Named> all = new ArrayList<>();
    all.add(new Named("flags", (s, n, f) -> Bytes.put8(s, PackedPage.FLAGS, f | 64)));
    all.add(new Named("level", (s, n, f) -> Bytes.put8(s, PackedPage.LEVEL, 1)));
    all.add(new Named("one entry less", (s, n, f) -> Bytes.put16(s, PackedPage.COUNT, n - 1)));
    all.add(new Named("no entries", (s, n, f) -> Bytes.put16(s, PackedPage.COUNT, 0)));
    all.add(new Named("first length", (s, n, f) -> add32(s, PackedPage.FIRST_LENGTH, 1 << 20)));
    all.add(new Named("least lcp", (s, n, f) -> add32(s, PackedPage.LEAST_LCP, 1 << 20)));
    all.add(new Named("first lcp", (s, n, f) -> add32(s, PackedPage.FIRST_LCP, 1 << 20)));
    all.add(new Named("critical 0", (s, n, f) -> addCritical(s, n, 0, -256)));
    all.add(
        new Named(
            "lcp above the length of the last key",
            (s, n, f) -> {
              addCritical(s, n, I, PackedPage.isNarrow(f) ? 0xF000 : 0xFF00);
              fixLeast(s, n, I);
            }));
    all.add(
        new Named(
            "a lesser key",
            (s, n, f) -> {
              int bits = PackedPage.isNarrow(f) ? 0x0FF0 : 0x00FF;
              long at = PackedPage.criticalsAt(0, n) + 2L * I;
              Bytes.put16(s, at, Bytes.u16(s, at) | bits);
              fixLeast(s, n, I);
            }));
    all.add(new Named("least", (s, n, f) -> add16(s, PackedPage.leastAt(0) + 2, 1)));
    all.add(new Named("start", (s, n, f) -> add16(s, PackedPage.startsAt(0, n, f) + 2, 1)));
    all.add(new Named("a longer rest", (s, n, f) -> addRest(s, n, f, I, 1)));
    all.add(new Named("a shorter rest", (s, n, f) -> addRest(s, n, f, I, -1)));
    all.add(new Named("a longer last rest", (s, n, f) -> addRest(s, n, f, n - 1, 1)));
    all.add(new Named("a shorter last rest", (s, n, f) -> addRest(s, n, f, n - 1, -1)));
    all.add(
        new Named(
            "no entry with the least lcp",
            (s, n, f) -> {
              int one = PackedPage.isNarrow(f) ? 0x1000 : 0x0100;
              add32(s, PackedPage.LEAST_LCP, -1);
              for (int i = 1; i < n; i++) {
                addCritical(s, n, i, one);
              }
              for (int i = 0; i < n; i += PackedPage.GROUP) {
                fixLeast(s, n, i);
              }
            }));
    all.add(
        new Named(
            "one value or not",
            (s, n, f) -> Bytes.put8(s, PackedPage.FLAGS, f ^ PackedPage.ONE_VALUE)));
    if (values == Values.REPEATED) {
      all.add(
          new Named(
              "the value of a tombstone",
              (s, n, f) -> {
                long at = PackedPage.payloadAt(0, n, f) + 1;
                while (Bytes.u16(s, at - 1) != 0xFFFF) {
                  at++;
                }
                Bytes.put8(s, at, PackedPage.SAME_VALUE);
              }));
    }
    if (values == Values.CODED) {
      all.add(
          new Named(
              "both codings",
              (s, n, f) -> Bytes.put8(s, PackedPage.FLAGS, f | PackedPage.CODED_ALONE)));
      all.add(
          new Named(
              "coded alone",
              (s, n, f) -> Bytes.put8(s, PackedPage.FLAGS, f ^ CODED_BY_FIRST_OR_ALONE)));
      for (int at : new int[] {0, 1}) {
        for (int more : new int[] {-1, 1, 16, 64}) {
          all.add(
              new Named(
                  "coded byte " + at + " and " + more,
                  (s, n, f) -> {
                    long value = PackedPage.valueAt(s, 0, n, I) + at;
                    Bytes.put8(s, value, Bytes.u8(s, value) + more);
                  }));
        }
      }
    }
    if (values == Values.ONE) {
      for (int code : new int[] {2, 4, 251, 252, 253, 254, 255}) {
        all.add(
            new Named(
                "code " + code, (s, n, f) -> Bytes.put8(s, PackedPage.payloadAt(0, n, f), code)));
      }
      all.add(
          new Named("first value", (s, n, f) -> add32(s, PackedPage.valueStartsAt(0, n, f), 1)));
      all.add(
          new Named(
              "no values",
              (s, n, f) -> Bytes.put8(s, PackedPage.FLAGS, f & ~PackedPage.HAS_VALUES)));
    }
    if (values == Values.DIFFERENT) {
      all.add(
          new Named("code", (s, n, f) -> Bytes.put8(s, PackedPage.payloadAt(0, n, f) + I, 254)));
      all.add(
          new Named(
              "a longer value",
              (s, n, f) -> {
                long at = PackedPage.payloadAt(0, n, f) + I;
                Bytes.put8(s, at, Bytes.u8(s, at) + 1);
              }));
      all.add(
          new Named(
              "value start", (s, n, f) -> add32(s, PackedPage.valueStartsAt(0, n, f) + 4, 1)));
      all.add(
          new Named("first value", (s, n, f) -> add32(s, PackedPage.valueStartsAt(0, n, f), 1)));
    }
    return all;
  }

  private static void add32(MemorySegment s, long at, int more) {
    Bytes.put32(s, at, Bytes.i32(s, at) + more);
  }

  private static void add16(MemorySegment s, long at, int more) {
    Bytes.put16(s, at, Bytes.u16(s, at) + more);
  }

  private static void addCritical(MemorySegment s, int n, int i, int more) {
    long at = PackedPage.criticalsAt(0, n) + 2L * i;
    Bytes.put16(
        s,
        at,
        more == 0xF000 || more == 0xFF00 ? Bytes.u16(s, at) | more : Bytes.u16(s, at) + more);
  }

  private static void addRest(MemorySegment s, int n, int flags, int i, int more) {
    if (PackedPage.isNarrow(flags)) {
      addCritical(s, n, i, more);
      fixLeast(s, n, i);
    } else {
      long at = PackedPage.lengthsAt(0, n) + i;
      Bytes.put8(s, at, Bytes.u8(s, at) + more);
    }
  }

  /** Makes the least critical number of a group right again. */
  private static void fixLeast(MemorySegment s, int n, int i) {
    int from = i & -PackedPage.GROUP;
    int least = PackedPage.NO_CRITICAL;
    for (int j = Math.max(1, from); j < Math.min(n, from + PackedPage.GROUP); j++) {
      least = Math.min(least, PackedPage.storedCritical(s, 0, n, j));
    }
    Bytes.put16(s, PackedPage.leastAt(0) + from / PackedPage.GROUP * 2L, least);
  }

  private void write(boolean wide, Values values) {
    entries.clear();
    leaves.clear();
    storage.delete(NAME);
    byte[] last = {};
    for (int i = 0; i < 400; i++) {
      // Lcps from 1 on, of which narrow pages span few and wide ones many.
      byte[] key = new byte[(wide && i % 8 == 4 ? 40 : 6) + i % 3];
      Arrays.fill(key, (byte) (i % 5 + 1));
      key[0] = 9;
      key[1] = (byte) (i / 8);
      Arrays.fill(key, 2, key.length - 3, (byte) 7);
      key[key.length - 3] = (byte) (7 + i % 8);
      if (wide && i % 8 == 5) {
        key = last.clone();
        key[key.length - 1]++;
      }
      last = key;
      entries.put(key, value(values, i));
    }
    TreeOutput output = TreeFile.output(storage, NAME, 5, 7);
    TreeBuilder builder = new TreeBuilder(output, new TreeSettings(700, 0));
    PackedTree tree = TreeModel.build(builder, entries, MaskedRanges.NONE, false);
    good = storage.bytes(NAME);
    MemorySegment s = MemorySegment.ofArray(good);
    for (long at = TreeFileFormat.PAGES; at <= tree.summary().root(); ) {
      if (PackedPage.level(s, at) == 0) {
        leaves.add((int) at);
      }
      at = PackedPage.align(at + PackedPage.size(s, at));
    }
    assertTrue(leaves.size() >= 3, leaves + "");
    boolean isNarrow = PackedPage.isNarrow(PackedPage.flags(s, leaves.get(1)));
    assertEquals(!wide, isNarrow);
    TreeModel.check(open(), entries, new Random(3));
  }

  private static TreeModel.Value value(Values values, int i) {
    int run = i / 5;
    boolean isDeleted =
        values == Values.DIFFERENT ? i % 9 == 0 : values == Values.REPEATED && run % 3 == 0;
    byte[] bytes = {};
    if (!isDeleted) {
      bytes =
          switch (values) {
            case NONE -> new byte[0];
            case DIFFERENT -> new byte[i % 4];
            case REPEATED -> new byte[] {(byte) run, 3};
            case CODED -> coded(i);
            case ONE -> new byte[3];
          };
    }
    return new TreeModel.Value(isDeleted ? EntryKind.TOMBSTONE : EntryKind.PUT, bytes);
  }

  private static byte[] coded(int i) {
    byte[] bytes = new byte[60];
    bytes[3] = (byte) i;
    bytes[40] = (byte) (i * 7);
    return bytes;
  }

  private PackedTree open() {
    return TreeFile.open(storage, NAME, 5, 7);
  }

  @Test
  void everyForgeryMetByEveryMove() {
    for (boolean wide : new boolean[] {false, true}) {
      for (Values values : Values.values()) {
        write(wide, values);
        for (int leaf : List.of(0, 1, lastLargeLeaf())) {
          for (Named forgery : forgeries(values)) {
            String what = forgery.name + (wide ? ", wide" : "") + ", values: " + values;
            try {
              forge(leaf, forgery.forgery);
              meet(leaves.get(leaf), leaf);
            } catch (AssertionError | RuntimeException e) {
              throw new AssertionError(what + ", leaf " + leaf, e);
            }
          }
        }
      }
    }
  }

  /** The last leaf has what was left over, which may be too few for a forgery. */
  private int lastLargeLeaf() {
    int last = leaves.size() - 1;
    int n = PackedPage.count(MemorySegment.ofArray(good), leaves.get(last));
    return n > I + 2 ? last : last - 1;
  }

  private void forge(int leaf, Forgery forgery) {
    byte[] file = good.clone();
    MemorySegment page = MemorySegment.ofArray(file).asSlice(leaves.get(leaf));
    int n = PackedPage.count(page, 0);
    assertTrue(n > I + 2, n + " entries");
    forgery.make(page, n, PackedPage.flags(page, 0));
    PackedPage.seal(page, (int) PackedPage.size(page, 0));
    storage.put(NAME, file);
  }

  private void meet(long address, int leaf) {
    MemorySegment s = MemorySegment.ofArray(good);
    int before = 0;
    for (int i = 0; i < leaf; i++) {
      before += PackedPage.count(s, leaves.get(i));
    }
    int in = PackedPage.count(s, leaves.get(leaf));
    List<byte[]> all = List.copyOf(entries.keySet());
    byte[] inside = all.get(before + 3);

    // Up from the begin: all keys before the leaf, perhaps some of the leaf.
    EntryCursor cursor = open().cursor();
    int steps = walk(cursor, true, all, 0, address);
    assertTrue(steps >= before && steps <= before + in, steps + " steps");
    notBehind(cursor, true, all);

    // With the values, by which tombstones are known.
    EntryCursor reads = open().cursor();
    EntryValue value = new EntryValue();
    named(
        address,
        () -> {
          while (reads.next()) {
            reads.value(value);
            byte[] key = Arrays.copyOf(reads.key(), reads.keyLength());
            assertArrayEquals(Objects.requireNonNull(entries.get(key)).bytes(), value.copy());
          }
        });

    // Down from the end.
    cursor = open().cursor();
    steps = walk(cursor, false, all, 0, address);
    assertEquals(all.size() - before - in, steps);
    notBehind(cursor, false, all);

    // Into the leaf.
    PackedTree tree = open();
    named(address, () -> tree.cursor().seekCeiling(inside, inside.length));
    named(address, () -> tree.cursor().seekFloor(inside, inside.length));
    named(
        address, () -> tree.find(inside, inside.length, KeyHash.of(inside, inside.length), value));
    assertThrows(CorruptionException.class, tree::check);

    // From the leaf before into it.
    if (leaf > 0) {
      EntryCursor seeks = open().cursor();
      byte[] last = all.get(before - 1);
      assertTrue(seeks.seekCeiling(last, last.length));
      assertTrue(walk(seeks, true, all, before, address) <= in);
      notBehind(seeks, true, all);
    }

    // Up into it, and down again: what a walk has not checked yet is checked before it turns.
    for (int turn = 1; turn <= I + 1; turn += 4) {
      EntryCursor turns = open().cursor();
      int at = turn;
      named(
          address,
          () -> {
            for (int i = 0; i < before(address) + at; i++) {
              assertTrue(turns.next());
              assertArrayEquals(all.get(i), Arrays.copyOf(turns.key(), turns.keyLength()));
            }
            turns.previous();
          });
      notBehind(turns, false, all);
    }
  }

  private int before(long address) {
    int before = 0;
    for (int leaf : leaves) {
      if (leaf < address) {
        before += PackedPage.count(MemorySegment.ofArray(good), leaf);
      }
    }
    return before;
  }

  private static void named(long address, Runnable move) {
    CorruptionException e = assertThrows(CorruptionException.class, move::run);
    assertEquals(NAME, e.file());
    assertEquals(address, e.offset());
  }

  /** Steps until the damage is met and returns how many keys came, all of them right. */
  private static int walk(
      EntryCursor cursor, boolean up, List<byte[]> all, int from, long address) {
    int[] steps = {0};
    named(
        address,
        () -> {
          while (up ? cursor.next() : cursor.previous()) {
            int i = up ? from + steps[0] : all.size() - 1 - steps[0];
            assertArrayEquals(all.get(i), Arrays.copyOf(cursor.key(), cursor.keyLength()));
            steps[0]++;
          }
        });
    return steps[0];
  }

  /** After damage a cursor stands nowhere: its next step begins at the end, or meets the damage. */
  private static void notBehind(EntryCursor cursor, boolean up, List<byte[]> all) {
    try {
      assertTrue(up ? cursor.next() : cursor.previous());
    } catch (CorruptionException e) {
      return;
    }
    byte[] expected = up ? all.getFirst() : all.getLast();
    assertArrayEquals(expected, Arrays.copyOf(cursor.key(), cursor.keyLength()));
    assertFalse(cursor.shared() >= 0, "no step from a key");
  }

  /** A leaf that a walk went through to its end is not checked again, but another one is. */
  @Test
  void aWalkToTheEndChecksALeafForAllOtherMoves() {
    write(false, Values.DIFFERENT);
    PackedTree tree = open();
    PageSpace space = tree.space();
    TreeCursor cursor = new TreeCursor(tree);
    int first = PackedPage.count(MemorySegment.ofArray(good), leaves.getFirst());
    for (int i = 0; i < first; i++) {
      assertTrue(cursor.next());
      assertFalse(space.isTouched(leaves.getFirst()));
    }
    assertTrue(cursor.next());
    assertTrue(space.isTouched(leaves.getFirst()));
    assertFalse(space.isTouched(leaves.get(1)));
    assertTrue(cursor.previous());
    assertTrue(space.isTouched(leaves.get(1)));
  }
}
