package io.github.coppicedb.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Trees in heap against sorted maps. */
class PackedTreeTest {
  private final Random random = new Random();

  @Test
  void readsAsTheMapItWasBuiltFrom() {
    long seed = System.nanoTime();
    for (int round = 0; round < 60; round++) {
      random.setSeed(seed + round);
      NavigableMap<byte[], TreeModel.Value> entries = TreeModel.random(random, 400);
      try {
        TreeBuilder builder = TreeBuilder.inHeap(TreeModel.settings(random));
        PackedTree tree =
            TreeModel.build(builder, entries, MaskedRanges.NONE, random.nextBoolean());
        TreeModel.check(tree, entries, random);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + (seed + round), e);
      }
    }
  }

  @Test
  void manyPagesOverManyChunks() {
    long seed = System.nanoTime();
    random.setSeed(seed);
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.empty();
    for (int i = 0; i < 30_000; i++) {
      byte[] key = TreeModel.key(random, new byte[0], 12, new byte[0]);
      byte[] value = new byte[random.nextInt(20)];
      random.nextBytes(value);
      entries.put(key, new TreeModel.Value(EntryKind.PUT, value));
    }
    TreeBuilder builder = TreeBuilder.inHeap(new TreeSettings(256, 10));
    PackedTree tree = TreeModel.build(builder, entries, MaskedRanges.NONE, true);
    assertTrue(tree.bytes() > 1 << 19, "several chunks");
    try {
      TreeModel.check(tree, entries, random);
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  @Test
  void longestKeysAndLargeValues() {
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.empty();
    random.setSeed(5);
    for (int i = 0; i < 12; i++) {
      byte[] key = new byte[65_540];
      key[65_539 - 40 * i] = 1;
      entries.put(key, new TreeModel.Value(EntryKind.PUT, new byte[i % 3 * 300_000]));
      entries.put(new byte[] {1, (byte) i}, new TreeModel.Value(EntryKind.PUT, new byte[3]));
    }
    TreeBuilder builder = TreeBuilder.inHeap(TreeSettings.DEFAULT);
    PackedTree tree = TreeModel.build(builder, entries, MaskedRanges.NONE, false);
    TreeModel.check(tree, entries, random);
  }

  @Test
  void aTreeMayHaveMasksOnly() {
    MaskedRanges masks =
        MaskedRanges.of(List.of(new MaskedRanges.Range(new byte[] {3}, new byte[] {5})));
    PackedTree tree = TreeBuilder.inHeap(TreeSettings.DEFAULT).finish(masks);
    TreeModel.check(tree, TreeModel.empty(), random);
    assertArrayEquals(new byte[] {3}, tree.lowKey());
    assertArrayEquals(new byte[] {5}, tree.highKey());
    EntryCursor cursor = tree.cursor();
    assertFalse(cursor.next());
    assertFalse(cursor.previous());
    assertFalse(cursor.seekFloor(new byte[] {4}, 1));
  }

  @Test
  void boundsTakeEntriesAndMasks() {
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.empty();
    entries.put(new byte[] {2}, new TreeModel.Value(EntryKind.PUT, new byte[0]));
    entries.put(new byte[] {7}, new TreeModel.Value(EntryKind.TOMBSTONE, new byte[0]));
    PackedTree plain = build(entries, MaskedRanges.NONE);
    assertArrayEquals(new byte[] {2}, plain.lowKey());
    assertArrayEquals(new byte[] {7, 0}, plain.highKey());
    assertEquals(1, plain.tombstones());
    PackedTree wide =
        build(entries, MaskedRanges.of(List.of(new MaskedRanges.Range(new byte[] {1}, null))));
    assertArrayEquals(new byte[] {1}, wide.lowKey());
    assertNull(wide.highKey());
    PackedTree inside =
        build(
            entries,
            MaskedRanges.of(List.of(new MaskedRanges.Range(new byte[] {3}, new byte[] {4}))));
    assertArrayEquals(new byte[] {2}, inside.lowKey());
    assertArrayEquals(new byte[] {7, 0}, inside.highKey());
  }

  @Test
  void theFilterSparesMostSearchesForAbsentKeys() {
    BlockedBloomFilter.Builder builder = new BlockedBloomFilter.Builder();
    byte[] key = new byte[8];
    for (int i = 0; i < 100_000; i++) {
      builder.add(hash(key, i));
    }
    BlockedBloomFilter filter = builder.build(10);
    int wrong = 0;
    for (int i = 0; i < 200_000; i++) {
      boolean may = filter.mayContain(hash(key, i));
      assertTrue(may || i >= 100_000);
      wrong += may && i >= 100_000 ? 1 : 0;
    }
    assertTrue(wrong < 2_000, "false positives in 100,000: " + wrong);
    assertEquals(1954L * 64, filter.bytes());
  }

  private static long hash(byte[] key, int number) {
    MemorySegment.ofArray(key).set(java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED, 0, number);
    return KeyHash.of(key, key.length);
  }

  private static PackedTree build(
      NavigableMap<byte[], TreeModel.Value> entries, MaskedRanges masks) {
    return TreeModel.build(TreeBuilder.inHeap(TreeSettings.DEFAULT), entries, masks, true);
  }

  @Test
  void largeFilesAreToldOnceAndInOrder() {
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.empty();
    for (int id : new int[] {9, 3, 9, 70, 3}) {
      byte[] reference = new byte[24];
      reference[0] = (byte) id;
      byte[] key = {(byte) entries.size()};
      entries.put(key, new TreeModel.Value(EntryKind.LARGE, reference));
    }
    assertEquals("[3, 9, 70]", Arrays.toString(build(entries, MaskedRanges.NONE).largeFiles()));
  }
}
