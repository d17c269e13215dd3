package io.github.coppicedb.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.UnsupportedFormatException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.FileHead;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.format.TreeFileFormat;
import io.github.coppicedb.storage.MemoryStorage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Trees in files: round trips, wrong files, and damage at every place. */
class TreeFileTest {
  private static final String NAME = "000007.tree";
  private static final long DATABASE = 0x1122334455667788L;
  private static final MaskedRanges MASKS =
      MaskedRanges.of(
          List.of(
              new MaskedRanges.Range(new byte[] {1}, new byte[] {2, 5}),
              new MaskedRanges.Range(new byte[] {9, 9}, null)));

  private final Random random = new Random();
  private final MemoryStorage storage = new MemoryStorage();

  private PackedTree write(
      NavigableMap<byte[], TreeModel.Value> entries, TreeSettings settings, MaskedRanges masks) {
    storage.delete(NAME);
    TreeOutput output = TreeFile.output(storage, NAME, DATABASE, 7);
    return TreeModel.build(new TreeBuilder(output, settings), entries, masks, true);
  }

  private PackedTree open() {
    return TreeFile.open(storage, NAME, DATABASE, 7);
  }

  @Test
  void readsAsWritten() {
    long seed = System.nanoTime();
    for (int round = 0; round < 30; round++) {
      random.setSeed(seed + round);
      NavigableMap<byte[], TreeModel.Value> entries = TreeModel.random(random, 400);
      try {
        PackedTree written = write(entries, TreeModel.settings(random), MASKS);
        TreeModel.check(written, entries, random);
        PackedTree opened = open();
        TreeModel.check(opened, entries, random);
        assertEquals(storage.size(NAME), opened.bytes());
        assertEquals(written.tombstones(), opened.tombstones());
        assertEquals(7, opened.fileId());
        assertEquals(NAME, opened.name());
        assertArrayEquals(written.largeFiles(), opened.largeFiles());
        assertArrayEquals(written.lowKey(), opened.lowKey());
        assertEquals(null, opened.highKey());
        assertEquals(2, opened.masks().list().size());
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + (seed + round), e);
      }
    }
  }

  @Test
  void aMergeIntoFiles() {
    random.setSeed(11);
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.random(random, 900, new byte[0]);
    TreeBuilder builder = TreeBuilder.inHeap(TreeSettings.DEFAULT);
    PackedTree tree = TreeModel.build(builder, entries, MaskedRanges.NONE, true);
    int[] id = {0};
    TreeMerger merger =
        new TreeMerger(
            List.of(List.of(tree)),
            false,
            TreeSettings.DEFAULT,
            3000,
            () -> TreeFile.output(storage, ++id[0] + ".tree", DATABASE, id[0]));
    assertTrue(merger.step(Integer.MAX_VALUE));
    assertTrue(id[0] > 1);
    TreeModel.checkScan(merger.result(), entries);
    merger.abort();
    assertEquals(List.of(), storage.list());
  }

  /** Pages far larger than the usual ones, between small ones, are merged from copies as well. */
  @Test
  void aMergeOfFilesWithLargePages() {
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.empty();
    for (int i = 0; i < 500; i++) {
      byte[] key = new byte[i == 250 ? 60_000 : 5];
      key[0] = (byte) (i >>> 8);
      key[1] = (byte) i;
      byte[] value = new byte[i % 100 == 50 ? 100_000 : i % 7];
      Arrays.fill(value, (byte) i);
      entries.put(key, new TreeModel.Value(EntryKind.PUT, value));
    }
    PackedTree file = write(entries, new TreeSettings(512, 0), MaskedRanges.NONE);
    PackedTree heap =
        TreeModel.build(
            TreeBuilder.inHeap(new TreeSettings(300, 0)), entries, MaskedRanges.NONE, false);
    for (List<PackedTree> inputs : List.of(List.of(file), List.of(heap), List.of(heap, file))) {
      TreeMerger merger =
          new TreeMerger(
              inputs.stream().map(List::of).toList(),
              false,
              TreeSettings.DEFAULT,
              Long.MAX_VALUE,
              HeapTreeOutput::new);
      assertTrue(merger.step(Integer.MAX_VALUE));
      assertEquals(500, merger.keysRead());
      TreeModel.check(merger.result().getFirst(), entries, random);
    }
  }

  @Test
  void wrongFilesAreRefused() {
    write(TreeModel.empty(), TreeSettings.DEFAULT, MASKS);
    assertThrows(CorruptionException.class, () -> TreeFile.open(storage, NAME, DATABASE, 8));
    assertThrows(CorruptionException.class, () -> TreeFile.open(storage, NAME, DATABASE + 1, 7));
    byte[] newer = storage.bytes(NAME);
    Bytes.put32(MemorySegment.ofArray(newer), FileHead.VERSION, TreeFileFormat.VERSION + 1);
    FileHead.seal(MemorySegment.ofArray(newer));
    storage.put(NAME, newer);
    assertThrows(UnsupportedFormatException.class, this::open);
    byte[] other = storage.bytes(NAME);
    other[0]++;
    FileHead.seal(MemorySegment.ofArray(other));
    storage.put(NAME, other);
    assertThrows(UnsupportedFormatException.class, this::open);
    storage.put(NAME, new byte[0]);
    assertThrows(CorruptionException.class, this::open);
  }

  /** Small enough to damage every byte of it, with inner pages, values of all kinds and masks. */
  private NavigableMap<byte[], TreeModel.Value> smallEntries() {
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.empty();
    for (int i = 0; i < 36; i++) {
      byte[] key = new byte[1 + i % 5];
      Arrays.fill(key, (byte) (i * 37));
      key[0] = (byte) i;
      byte kind = i % 7 == 0 ? EntryKind.TOMBSTONE : i % 11 == 0 ? EntryKind.LARGE : EntryKind.PUT;
      int length = kind == EntryKind.PUT ? i % 4 : kind == EntryKind.LARGE ? 24 : 0;
      entries.put(key, new TreeModel.Value(kind, new byte[length]));
    }
    byte[] longest = new byte[300];
    longest[0] = 17;
    entries.put(longest, new TreeModel.Value(EntryKind.PUT, new byte[260]));
    return entries;
  }

  @Test
  void aFlippedBitIsFoundOrHarmless() {
    NavigableMap<byte[], TreeModel.Value> entries = smallEntries();
    write(entries, new TreeSettings(80, 10), MASKS);
    byte[] good = storage.bytes(NAME);
    int found = 0;
    for (int i = 0; i < good.length; i++) {
      byte[] damaged = good.clone();
      damaged[i] ^= (byte) (1 << i % 8);
      found += use(damaged, entries) ? 0 : 1;
    }
    // What fills pages up to their alignment is read by nobody.
    assertTrue(found > good.length * 2 / 3, found + " of " + good.length);
  }

  @Test
  void aCutFileIsRefused() {
    NavigableMap<byte[], TreeModel.Value> entries = smallEntries();
    write(entries, new TreeSettings(80, 10), MASKS);
    byte[] good = storage.bytes(NAME);
    assertTrue(use(good, entries));
    for (int length = 0; length < good.length; length++) {
      storage.put(NAME, Arrays.copyOf(good, length));
      assertThrows(CorruptionException.class, this::open);
    }
  }

  /** Each read answers rightly or says that the file is damaged; false when one said so. */
  private boolean use(byte[] file, NavigableMap<byte[], TreeModel.Value> entries) {
    storage.put(NAME, file);
    PackedTree tree;
    try {
      tree = open();
    } catch (CorruptionException | UnsupportedFormatException e) {
      return false;
    }
    boolean whole = true;
    for (byte[] key : entries.keySet()) {
      whole &= answers(() -> checkFind(tree, key, entries.get(key)));
      EntryCursor cursor = tree.cursor();
      whole &=
          answers(
              () ->
                  TreeModel.checkAt(
                      cursor, cursor.seekCeiling(key, key.length), entries.ceilingEntry(key)));
      whole &=
          answers(
              () ->
                  TreeModel.checkAt(
                      cursor, cursor.seekFloor(key, key.length), entries.floorEntry(key)));
    }
    whole &= answers(() -> TreeModel.checkScan(List.of(tree), entries));
    whole &= answers(() -> walk(tree, entries));
    boolean checked = answers(tree::check);
    assertTrue(whole || !checked, "damage that a read met, the check met too");
    return whole && checked;
  }

  private static boolean answers(Runnable read) {
    try {
      read.run();
      return true;
    } catch (CorruptionException e) {
      assertEquals(NAME, e.file());
      return false;
    }
  }

  private static void checkFind(PackedTree tree, byte[] key, TreeModel.@Nullable Value expected) {
    EntryValue value = new EntryValue();
    boolean found = tree.find(key, key.length, KeyHash.of(key, key.length), value);
    assertEquals(expected != null, found);
    if (expected != null) {
      assertArrayEquals(expected.bytes(), value.copy());
      assertEquals(expected.kind(), value.kind());
    }
  }

  private static void walk(PackedTree tree, NavigableMap<byte[], TreeModel.Value> entries) {
    EntryCursor cursor = tree.cursor();
    for (Map.Entry<byte[], TreeModel.Value> entry : entries.descendingMap().entrySet()) {
      TreeModel.checkAt(cursor, cursor.previous(), entry);
    }
    assertFalse(cursor.previous());
  }

  /** A page that is wrong but has the right checksum is met with no other exception, and ends. */
  @Test
  void aForgedPageDoesNoHarm() {
    NavigableMap<byte[], TreeModel.Value> entries = smallEntries();
    PackedTree tree = write(entries, new TreeSettings(80, 10), MASKS);
    byte[] good = storage.bytes(NAME);
    List<Integer> pages = new ArrayList<>();
    long end = tree.summary().root();
    for (long at = TreeFileFormat.PAGES; at <= end; ) {
      pages.add((int) at);
      at = PackedPage.align(at + PackedPage.size(MemorySegment.ofArray(good), at));
    }
    long seed = System.nanoTime();
    random.setSeed(seed);
    for (int round = 0; round < 800; round++) {
      byte[] forged = good.clone();
      MemorySegment page =
          MemorySegment.ofArray(forged).asSlice(pages.get(random.nextInt(pages.size())));
      int size = (int) PackedPage.size(page, 0);
      int at = PackedPage.CHECKED_FROM + random.nextInt(size - PackedPage.CHECKED_FROM);
      Bytes.put8(page, at, random.nextInt(256));
      long newSize = PackedPage.size(page, 0);
      if (newSize >= PackedPage.HEADER && newSize <= page.byteSize()) {
        PackedPage.seal(page, (int) newSize);
      }
      storage.put(NAME, forged);
      try {
        readAll(open(), entries);
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ", round " + round, e);
      }
    }
  }

  private void readAll(PackedTree tree, NavigableMap<byte[], TreeModel.Value> entries) {
    EntryValue value = new EntryValue();
    for (byte[] key : entries.keySet()) {
      answers(() -> tree.find(key, key.length, KeyHash.of(key, key.length), value));
      answers(() -> tree.cursor().seekFloor(key, key.length));
    }
    // Up first, over leaves that nothing else has checked.
    answers(
        () -> {
          EntryCursor cursor = open().cursor();
          int steps = 0;
          while (cursor.next()) {
            cursor.value(value);
            assertTrue(++steps < 1000);
          }
        });
    answers(
        () -> {
          EntryCursor cursor = tree.cursor();
          int steps = 0;
          while (cursor.previous()) {
            cursor.value(value);
            assertTrue(++steps < 1000);
          }
        });
    answers(tree::check);
    TreeMerger merger =
        new TreeMerger(
            List.of(List.of(tree), List.of(tree)),
            true,
            TreeSettings.DEFAULT,
            Long.MAX_VALUE,
            HeapTreeOutput::new);
    answers(() -> assertTrue(merger.step(10_000)));
  }

  @Test
  void goldenFile() {
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.empty();
    entries.put(new byte[] {'a'}, new TreeModel.Value(EntryKind.PUT, new byte[] {5}));
    entries.put(new byte[] {'a', 'b'}, new TreeModel.Value(EntryKind.TOMBSTONE, new byte[0]));
    write(entries, new TreeSettings(4096, 10), MASKS);
    byte[] file = storage.bytes(NAME);
    String dump =
        IntStream.range(0, (file.length + 15) / 16)
            .mapToObj(
                i -> HexFormat.of().formatHex(file, 16 * i, Math.min(file.length, 16 * i + 16)))
            .collect(Collectors.joining("\n"));
    assertEquals(
        """
        434f50502e5452450100000000000000
        88776655443322110700000000000000
        00000000000000000000000000000000
        00000000000000000000000091d10251
        89896f62280000000200000301000000
        0000000001000000d009f0ffd0090000
        01ff2700000061050000000000000000
        00000000000000000000000000000000
        00080800000000800000000008000000
        00000000002000000000040000400000
        00820000000000008000000000000000
        00000000800000000000000000000004
        b4d5f52c400000000000000002000000
        00000000010000000000000068000000
        00000000800000000000000001000000
        0000000006000000123c972c01000000
        01000000020000000200000000000000
        00000000010000000200000002000000
        ffffffff6161620102050909c4000000
        0000000068000000bc30c18d434f5050
        2e5452450000000033d82d3b\
        """,
        dump);
  }
}
