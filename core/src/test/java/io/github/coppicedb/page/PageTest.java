package io.github.coppicedb.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.format.ValueReference;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Builds pages of random keys, and compares the search with a scan of the same keys. */
class PageTest {
  private static final int ROUNDS = 60;

  private final Random random = new Random();

  private record Entry(byte[] key, byte kind, byte[] value) {}

  @Test
  void searchFindsTheFloorOfAnyKey() {
    seeded(
        () -> {
          List<Entry> entries = randomEntries(random);
          MemorySegment page = build(entries, 1 + random.nextInt(32768));
          int n = PackedPage.count(page, 0);
          assertTrue(n <= entries.size());
          PageChecker.checkBytes(page, 0, "test", 0);
          PageChecker.checkFields(page, 0, "test", 0);
          for (int i = 0; i < n; i++) {
            checkValue(page, n, i, entries.get(i));
          }
          for (byte[] key : probes(entries.subList(0, n))) {
            checkFloor(page, entries.subList(0, n), key);
          }
        });
  }

  @Test
  void whatTheParentKnowsIsNotComparedAgain() {
    seeded(
        () -> {
          List<Entry> entries = randomEntries(random);
          MemorySegment page = build(entries, 1 << 15);
          int n = PackedPage.count(page, 0);
          byte[] first = entries.getFirst().key;
          for (byte[] key : probes(entries.subList(0, n))) {
            int mismatch = Arrays.mismatch(first, key);
            int common = mismatch < 0 ? first.length : mismatch;
            int known = random.nextInt(common + 1);
            assertEquals(
                PageSearch.floor(page, 0, key, key.length, 0),
                PageSearch.floor(page, 0, key, key.length, known));
          }
        });
  }

  @Test
  void innerPagesHoldTheirChildren() {
    seeded(
        () -> {
          List<Entry> entries = randomEntries(random);
          PageBuilder builder = new PageBuilder(64 + random.nextInt(4000), 3);
          byte[] last = new byte[0];
          int n = 0;
          for (Entry entry : entries) {
            int lcp = n == 0 ? 0 : lcp(last, entry.key);
            if (!builder.accepts(lcp)) {
              break;
            }
            builder.addChild(lcp, entry.key, entry.key.length, 64L * (3L * n + 0xFFFF_0000L));
            last = entry.key;
            n++;
          }
          assertTrue(n >= Math.min(2, entries.size()));
          MemorySegment page = builder.finish();
          PageChecker.checkBytes(page, 0, "test", 0);
          PageChecker.checkFields(page, 0, "test", 0);
          assertEquals(3, PackedPage.level(page, 0));
          for (int i = 0; i < n; i++) {
            assertEquals(64L * (3L * i + 0xFFFF_0000L), PackedPage.child(page, 0, n, i));
          }
          for (byte[] key : probes(entries.subList(0, n))) {
            checkFloor(page, entries.subList(0, n), key);
          }
        });
  }

  @Test
  void damagedFieldsAreFoundOrHarmless() {
    seeded(
        () -> {
          List<Entry> entries = randomEntries(random);
          byte[] bytes = build(entries, 600).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
          MemorySegment page = MemorySegment.ofArray(bytes);
          for (int change = 0; change < 20; change++) {
            byte[] copy = bytes.clone();
            MemorySegment damaged = MemorySegment.ofArray(copy);
            copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
            assertThrows(
                CorruptionException.class, () -> PageChecker.checkBytes(damaged, 0, "test", 0));
            int size = (int) Math.min(copy.length, PackedPage.size(damaged, 0));
            if (size < PackedPage.HEADER) {
              continue;
            }
            PackedPage.seal(damaged, size);
            try {
              PageChecker.checkBytes(damaged, 0, "test", 0);
              PageChecker.checkFields(damaged, 0, "test", 0);
            } catch (CorruptionException expected) {
              continue;
            }
            useAll(damaged, entries);
          }
          useAll(page, entries);
        });
  }

  /** After the check of the fields, no search reads outside the page. */
  private static void useAll(MemorySegment page, List<Entry> entries) {
    int n = PackedPage.count(page, 0);
    for (Entry entry : entries) {
      int index = PageSearch.index(PageSearch.floor(page, 0, entry.key, entry.key.length, 0));
      assertTrue(index >= -1 && index < n);
    }
    if (PackedPage.level(page, 0) == 0 && PackedPage.hasValues(page, 0)) {
      for (int i = 0; i < n; i++) {
        long at = PackedPage.valueAt(page, 0, n, i);
        int code = PackedPage.valueCode(page, 0, n, i);
        if (code == PackedPage.SAME_VALUE) {
          int holder = PackedPage.valueHolder(page, 0, n, i, 0);
          assertTrue(holder >= 0 && holder < i);
          assertTrue(PackedPage.valueCode(page, 0, n, holder) < PackedPage.SAME_VALUE);
        }
        assertTrue(at + PackedPage.valueBytes(page, code, at) <= page.byteSize());
      }
    }
  }

  @Test
  void aPageIsLargerThanItsLimitByOneEntryAtMost() {
    PageBuilder builder = new PageBuilder(4096, 0);
    byte[] key = new byte[65540];
    byte[] value = new byte[1 << 20];
    new Random(1).nextBytes(value);
    for (int i = 0; i < 30; i++) {
      key[0] = (byte) i;
      assertTrue(builder.accepts(0));
      builder.add(0, key, 0, 40, EntryKind.PUT, value, 0, 60);
    }
    key[0]++;
    builder.add(0, key, 0, key.length, EntryKind.PUT, value, 0, value.length);
    assertEquals(false, builder.accepts(0));
    MemorySegment page = builder.finish();
    PageChecker.checkBytes(page, 0, "test", 0);
    PageChecker.checkFields(page, 0, "test", 0);
    long result = PageSearch.floor(page, 0, key, key.length, 0);
    assertEquals(30, PageSearch.index(result));
    assertTrue(PageSearch.exact(result));
    long at = PackedPage.valueAt(page, 0, 31, 30);
    assertEquals(1 << 20, PackedPage.valueLength(page, PackedPage.LONG_VALUE, at));
  }

  @Test
  void aPageNeverSpansMoreThanTheRangeOfLcps() {
    PageBuilder builder = new PageBuilder(4096, 0);
    byte[] key = new byte[600];
    add(builder, 0, key, 500);
    add(builder, 500, key, 501);
    assertEquals(true, builder.accepts(245));
    assertEquals(false, builder.accepts(244));
    key[245] = 1;
    add(builder, 245, key, 300);
    assertEquals(false, builder.accepts(501));
    MemorySegment page = builder.finish();
    PageChecker.checkFields(page, 0, "test", 0);
    assertEquals(245, PackedPage.leastLcp(page, 0));
  }

  @Test
  void goldenPage() {
    PageBuilder builder = new PageBuilder(4096, 0);
    byte[] value = {7, 8, 9};
    byte[] first = {'a', 'b'};
    byte[] second = {'a', 'b', 'c', 'd', 'e'};
    byte[] third = {'a', 'c'};
    builder.add(1, first, 0, 2, EntryKind.PUT, value, 0, 3);
    builder.add(2, second, 0, 5, EntryKind.TOMBSTONE, value, 0, 0);
    builder.add(1, third, 0, 2, EntryKind.PUT, value, 1, 1);
    MemorySegment page = builder.finish();
    assertGolden(
        "1b311f13"
            + "31000000"
            + "03000003"
            + "01000000"
            + "01000000"
            + "02000000"
            + "c009"
            + "f0ffc219c009"
            + "0000"
            + "03ff01"
            + "2d000000"
            + "6162"
            + "6465"
            + "07080908",
        page);
  }

  @Test
  void goldenWidePage() {
    PageBuilder builder = new PageBuilder(4096, 0);
    byte[] first = "aaaaaaaaaaaaaaaa".getBytes(StandardCharsets.US_ASCII);
    byte[] second = "aaaaaaaaaaaaaaaabcd".getBytes(StandardCharsets.US_ASCII);
    byte[] third = {'b'};
    add(builder, 0, first, 16);
    add(builder, 16, second, 19);
    add(builder, 0, third, 1);
    assertGolden(
        "8a4f9b54"
            + "37000000"
            + "03000000"
            + "00000000"
            + "00000000"
            + "10000000"
            + "9d00"
            + "ffff9d109d00"
            + "000200"
            + "0000"
            + "61616161616161616161616161616161"
            + "6364",
        builder.finish());
  }

  private static void assertGolden(String expected, MemorySegment page) {
    assertEquals(
        expected, HexFormat.of().formatHex(page.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)));
  }

  /** Rests of all lengths at which the way to tell them changes, in narrow and in wide pages. */
  @Test
  void restsOfAllLengths() {
    int[] lengths = {0, 1, 14, 15, 16, 253, 254, 255, 256, 700};
    for (int deepest : new int[] {0, 15, 16, 255}) {
      for (int before = 0; before < 20; before++) {
        for (int length : lengths) {
          checkRest(deepest, before, length);
        }
      }
    }
  }

  /** A page of short keys, then one whose rest has some length, then one that shares much. */
  private static void checkRest(int deepest, int before, int length) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i <= before; i++) {
      keys.add(new byte[] {(byte) i});
    }
    byte[] longKey = new byte[1 + length];
    Arrays.fill(longKey, (byte) 7);
    longKey[0] = 100;
    keys.add(longKey);
    byte[] deep = Arrays.copyOf(longKey, Math.max(longKey.length, deepest) + 1);
    keys.add(deep);
    keys.add(new byte[] {101});
    PageBuilder builder = new PageBuilder(32768, 0);
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.get(i);
      int lcp = i == 0 ? 0 : Arrays.mismatch(keys.get(i - 1), key);
      assertTrue(builder.accepts(lcp) || lcp > 255);
      if (lcp > 255) {
        return;
      }
      add(builder, lcp, key, key.length);
    }
    MemorySegment page = builder.finish();
    PageChecker.checkBytes(page, 0, "test", 0);
    PageChecker.checkFields(page, 0, "test", 0);
    PageKeys walk = new PageKeys();
    walk.enter(page, 0);
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.get(i);
      assertTrue(walk.next());
      assertArrayEquals(key, Arrays.copyOf(walk.key(), walk.keyLength()));
      long found = PageSearch.floor(page, 0, key, key.length, 0);
      assertEquals(i, PageSearch.index(found));
      assertTrue(PageSearch.exact(found));
    }
  }

  private static void add(PageBuilder builder, int lcp, byte[] key, int length) {
    builder.add(lcp, key, 0, length, EntryKind.PUT, key, 0, 0);
  }

  private void seeded(Runnable round) {
    long seed = System.nanoTime();
    for (int i = 0; i < ROUNDS; i++) {
      random.setSeed(seed + i);
      try {
        round.run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + (seed + i), e);
      }
    }
  }

  private static void checkFloor(MemorySegment page, List<Entry> entries, byte[] key) {
    int expected = -1;
    while (expected + 1 < entries.size()
        && Arrays.compareUnsigned(entries.get(expected + 1).key, key) <= 0) {
      expected++;
    }
    long result = PageSearch.floor(page, 0, key, key.length, 0);
    assertEquals(expected, PageSearch.index(result));
    boolean exact = expected >= 0 && Arrays.equals(entries.get(expected).key, key);
    assertEquals(exact, PageSearch.exact(result));
    assertEquals(expected < 0 ? 0 : lcp(entries.get(expected).key, key), PageSearch.shared(result));
  }

  private static void checkValue(MemorySegment page, int n, int i, Entry entry) {
    if (!PackedPage.hasValues(page, 0)) {
      assertEquals(EntryKind.PUT, entry.kind);
      assertEquals(0, entry.value.length);
      return;
    }
    int code = PackedPage.valueCode(page, 0, n, i);
    assertEquals(entry.kind, PackedPage.kind(code));
    int holder = i;
    if (code == PackedPage.SAME_VALUE) {
      holder = PackedPage.valueHolder(page, 0, n, i, 0);
      code = PackedPage.valueCode(page, 0, n, holder);
    }
    long at = PackedPage.valueAt(page, 0, n, holder);
    int length = (int) PackedPage.valueLength(page, code, at);
    byte[] value = new byte[length];
    MemorySegment.copy(
        page, at + PackedPage.valueHead(code), MemorySegment.ofArray(value), 0, length);
    assertArrayEquals(entry.value, value);
  }

  private MemorySegment build(List<Entry> entries, int pageBytes) {
    PageBuilder builder = new PageBuilder(pageBytes, 0);
    if (random.nextBoolean()) {
      add(builder, 0, new byte[] {1, 2}, 2);
      builder.finish();
    }
    byte[] last = new byte[0];
    for (Entry entry : entries) {
      int lcp = builder.count() == 0 ? 0 : lcp(last, entry.key);
      int at = random.nextInt(20);
      byte[] source = shifted(entry.key, at);
      byte[] value = shifted(entry.value, at);
      if (!builder.accepts(lcp, entry.kind, value, at, entry.value.length)) {
        break;
      }
      builder.add(lcp, source, at, entry.key.length, entry.kind, value, at, entry.value.length);
      last = entry.key;
    }
    int size = builder.size();
    MemorySegment page = builder.finish();
    assertEquals(size, PackedPage.size(page, 0));
    return page;
  }

  /** Returns an array that has some bytes at a place, and perhaps others behind them. */
  private byte[] shifted(byte[] bytes, int at) {
    byte[] shifted = new byte[at + bytes.length + random.nextInt(20)];
    random.nextBytes(shifted);
    System.arraycopy(bytes, 0, shifted, at, bytes.length);
    return shifted;
  }

  private static int lcp(byte[] a, byte[] b) {
    int mismatch = Arrays.mismatch(a, b);
    return mismatch < 0 ? a.length : mismatch;
  }

  private static List<Entry> randomEntries(Random random) {
    byte[][] alphabets = {{0, 1}, {0, (byte) 255}, {0, (byte) 255, 'a', 'b'}, {}};
    byte[] alphabet = alphabets[random.nextInt(alphabets.length)];
    int longest = 1 + random.nextInt(random.nextInt(4) == 0 ? 700 : 20);
    TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    int wanted = 1 + random.nextInt(200);
    byte[] last = new byte[0];
    for (int i = 0; i < wanted; i++) {
      byte[] key = new byte[random.nextInt(longest + 1)];
      for (int j = 0; j < key.length; j++) {
        key[j] =
            alphabet.length == 0
                ? (byte) random.nextInt(256)
                : alphabet[random.nextInt(alphabet.length)];
      }
      if (random.nextInt(3) > 0) {
        System.arraycopy(last, 0, key, 0, random.nextInt(Math.min(last.length, key.length) + 1));
      }
      keys.add(key);
      last = key;
    }
    int kinds = random.nextInt(5);
    int repeats = random.nextInt(4);
    List<Entry> entries = new ArrayList<>();
    for (byte[] key : keys) {
      boolean isSame =
          !entries.isEmpty() && random.nextInt(20) < new int[] {0, 10, 19, 20}[repeats];
      Entry like = isSame ? entries.getLast() : randomEntry(random, key, kinds);
      entries.add(new Entry(key, like.kind, like.value));
    }
    return entries;
  }

  private static Entry randomEntry(Random random, byte[] key, int kinds) {
    int kind = kinds == 0 ? 4 : random.nextInt(kinds + 1);
    return switch (kind) {
      case 0 -> new Entry(key, EntryKind.PUT, new byte[random.nextInt(8)]);
      case 1 -> {
        byte[] value = new byte[240 + random.nextInt(30)];
        random.nextBytes(value);
        yield new Entry(key, EntryKind.PUT, value);
      }
      case 2 -> new Entry(key, EntryKind.TOMBSTONE, new byte[0]);
      case 3 -> {
        byte[] reference = new byte[ValueReference.BYTES];
        Bytes.put64(MemorySegment.ofArray(reference), 0, random.nextLong());
        yield new Entry(key, EntryKind.LARGE, reference);
      }
      default -> new Entry(key, EntryKind.PUT, new byte[0]);
    };
  }

  private static List<byte[]> probes(List<Entry> entries) {
    List<byte[]> probes = new ArrayList<>();
    probes.add(new byte[0]);
    probes.add(new byte[] {(byte) 255, (byte) 255});
    for (Entry entry : entries) {
      byte[] key = entry.key;
      probes.add(key);
      probes.add(Arrays.copyOf(key, key.length + 1));
      if (key.length > 0) {
        probes.add(Arrays.copyOf(key, key.length - 1));
        byte[] more = key.clone();
        more[(key.length * 7 + probes.size()) % key.length]++;
        probes.add(more);
        byte[] less = key.clone();
        less[(key.length * 5 + probes.size()) % key.length]--;
        probes.add(less);
      }
    }
    return probes;
  }
}
