package io.github.coppicedb.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.PackedPage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A walk that checks a page as it goes finds what the check of the whole page finds, whatever
 * stands in the page under a right checksum.
 */
class PageWalkTest {
  private static final String FILE = "000009.tree";
  private static final long AT = 4711 * 64L;

  private final Random random = new Random();
  private int refused;
  private int accepted;

  /** Narrow and wide, with rests of all forms, with values of all kinds and without. */
  private List<byte[]> pages() {
    List<byte[]> pages = new ArrayList<>();
    for (int longest : new int[] {3, 9, 25, 320}) {
      for (boolean values : new boolean[] {false, true}) {
        pages.add(page(longest, longest > 25 ? 12 : 40, values));
      }
      pages.add(page(longest, longest > 25 ? 12 : 40, true, 4));
      pages.add(page(longest, longest > 25 ? 12 : 40, true, 100));
    }
    pages.add(page(5, 1, true));
    pages.add(page(5, 1, false));
    pages.add(page(5, 16, false));
    pages.add(page(5, 17, true));
    return pages;
  }

  private byte[] page(int longest, int wanted, boolean values) {
    return page(longest, wanted, values, 1);
  }

  /** Makes a page in which so many entries after each other have the same value. */
  private byte[] page(int longest, int wanted, boolean values, int run) {
    TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    byte[] last = {};
    while (keys.size() < wanted) {
      byte[] key = new byte[1 + random.nextInt(longest)];
      random.nextBytes(key);
      int shared = random.nextInt(Math.min(last.length, key.length) + 1);
      System.arraycopy(last, 0, key, 0, Math.min(shared, 250));
      keys.add(key);
      last = key;
    }
    PageBuilder builder = new PageBuilder(1 << 14, 0);
    last = new byte[0];
    int kind = 3;
    for (byte[] key : keys) {
      int mismatch = builder.count() == 0 ? 0 : Arrays.mismatch(last, key);
      int lcp = mismatch < 0 ? last.length : mismatch;
      assertTrue(builder.accepts(lcp));
      if (builder.count() % run == 0) {
        kind = values ? random.nextInt(run > 1 ? 3 : 4) : 3;
      }
      byte[] value =
          new byte[kind == 0 ? 24 : kind == 1 ? run > 1 ? 9 : 248 + random.nextInt(5) : 0];
      byte stored = kind == 0 ? EntryKind.LARGE : kind == 2 ? EntryKind.TOMBSTONE : EntryKind.PUT;
      builder.add(lcp, key, 0, key.length, stored, value, 0, value.length);
      last = key;
    }
    return builder.finish().toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void eachByteForged() {
    long seed = System.nanoTime();
    for (int round = 0; round < 4; round++) {
      random.setSeed(seed + round);
      for (byte[] page : pages()) {
        same(page, "seed " + (seed + round));
        for (int at = PackedPage.SIZE; at < page.length; at++) {
          for (int change : new int[] {1, -1, 0x80, 16, 1 + random.nextInt(255)}) {
            byte[] forged = page.clone();
            forged[at] += (byte) change;
            same(forged, "seed " + (seed + round) + ", byte " + at + " by " + change);
          }
        }
      }
    }
    assertTrue(refused > 10_000 && accepted > 1000, refused + " and " + accepted);
  }

  @Test
  void someBytesForgedTogether() {
    long seed = System.nanoTime();
    random.setSeed(seed);
    for (byte[] page : pages()) {
      for (int i = 0; i < 1000; i++) {
        byte[] forged = page.clone();
        for (int j = 0; j < 3; j++) {
          int at = PackedPage.SIZE + random.nextInt(page.length - PackedPage.SIZE);
          forged[at] += (byte) (random.nextInt(5) - 2);
        }
        same(forged, "seed " + seed);
      }
    }
  }

  private void same(byte[] bytes, String what) {
    MemorySegment page = MemorySegment.ofArray(bytes);
    int size = (int) Math.min(bytes.length, PackedPage.size(page, 0));
    if (size >= PackedPage.HEADER) {
      PackedPage.seal(page, size);
    }
    if (size < PackedPage.HEADER || PackedPage.level(page, 0) > 0) {
      return;
    }
    List<byte[]> expected = checked(page);
    List<byte[]> found = walked(page, expected == null);
    assertEquals(expected == null, found == null, what);
    if (expected == null || found == null) {
      refused++;
      return;
    }
    accepted++;
    assertArrayEquals(expected.toArray(), found.toArray(), what);
  }

  /** Returns the keys of a page that was checked first, or null if it was refused. */
  private static @Nullable List<byte[]> checked(MemorySegment page) {
    try {
      PageChecker.checkBytes(page, 0, FILE, AT);
      PageChecker.checkFields(page, 0, FILE, AT);
    } catch (CorruptionException e) {
      return null;
    }
    PageKeys keys = new PageKeys();
    keys.enter(page, 0);
    List<byte[]> all = new ArrayList<>();
    while (keys.next()) {
      all.add(Arrays.copyOf(keys.key(), keys.keyLength()));
    }
    return all;
  }

  /** Returns the keys of a page that is checked on the way, or null if it was refused. */
  private static @Nullable List<byte[]> walked(MemorySegment page, boolean isDamaged) {
    PageKeys keys = new PageKeys();
    List<byte[]> all = new ArrayList<>();
    try {
      keys.enterUnchecked(page, 0, FILE, AT);
      while (keys.next()) {
        byte[] key = Arrays.copyOf(keys.key(), keys.keyLength());
        assertTrue(all.isEmpty() || Arrays.compareUnsigned(all.getLast(), key) < 0);
        all.add(key);
      }
    } catch (CorruptionException e) {
      assertEquals(FILE, e.file());
      assertEquals(AT, e.offset());
      if (!all.isEmpty()) {
        assertThrows(CorruptionException.class, keys::next, "a walk does not go on");
      }
      return null;
    }
    assertFalse(keys.next());
    if (!isDamaged) {
      assertEquals(PackedPage.count(page, 0), all.size());
    }
    return all;
  }

  /** A length below 255 is told in one byte, not in a byte and four. */
  @Test
  void aLengthHasOneForm() {
    byte[] first = {1};
    byte[] second = new byte[300];
    second[0] = 2;
    PageBuilder builder = new PageBuilder(4096, 0);
    builder.add(0, first, 0, 1, EntryKind.PUT, first, 0, 0);
    builder.add(0, second, 0, 300, EntryKind.PUT, first, 0, 0);
    byte[] bytes = builder.finish().toArray(ValueLayout.JAVA_BYTE);
    MemorySegment page = MemorySegment.ofArray(bytes);
    long rest = PackedPage.restsAt(page, 0, 2);
    assertEquals(255, Bytes.u8(page, rest));
    // As short as it says, and as a reader takes it that counts one byte before it.
    Bytes.put32(page, rest + 1, 200);
    int size = (int) rest + 1 + 200;
    Bytes.put32(page, PackedPage.SIZE, size);
    PackedPage.seal(page, size);
    PageChecker.checkBytes(page, 0, FILE, AT);
    assertThrows(CorruptionException.class, () -> PageChecker.checkFields(page, 0, FILE, AT));
    assertEquals(null, walked(page, true));
  }
}
