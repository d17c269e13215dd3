package io.github.coppicedb.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.EntryKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Merges of random runs with masks, against sorted maps. */
class TreeMergerTest {
  private static final byte[][] ALPHABETS = {
    {0, 1}, {0, (byte) 255}, {0, (byte) 255, 'a', 'b'}, {}
  };

  private final Random random = new Random();

  private record Run(
      List<PackedTree> trees, NavigableMap<byte[], TreeModel.Value> entries, MaskedRanges masks) {}

  @Test
  void mergesAsMapsDo() {
    long seed = System.nanoTime();
    for (int round = 0; round < 100; round++) {
      random.setSeed(seed + round);
      try {
        mergeOnce();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + (seed + round), e);
      }
    }
  }

  private void mergeOnce() {
    byte[] alphabet = ALPHABETS[random.nextInt(ALPHABETS.length)];
    int most = 1 + random.nextInt(300);
    List<Run> runs = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      runs.add(randomRun(most, alphabet));
    }
    boolean bottom = random.nextBoolean();
    List<List<PackedTree>> inputs = runs.stream().map(Run::trees).toList();
    TreeMerger merger =
        new TreeMerger(
            inputs,
            bottom,
            TreeModel.settings(random),
            random.nextBoolean() ? Long.MAX_VALUE : 50 + random.nextInt(3000),
            HeapTreeOutput::new);
    int step = 1 + random.nextInt(100);
    long least = 0;
    while (!merger.step(step)) {
      least += step;
      assertTrue(merger.keysRead() >= least);
    }
    check(merger.result(), expected(runs, bottom), bottom ? MaskedRanges.NONE : masksOf(runs));
  }

  /** Draws entries and masks, and cuts them into trees that partition the key space. */
  private Run randomRun(int most, byte[] alphabet) {
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.random(random, most, alphabet);
    MaskedRanges masks = randomMasks(alphabet);
    List<PackedTree> trees = new ArrayList<>();
    byte[] low = null;
    NavigableMap<byte[], TreeModel.Value> rest = entries;
    while (rest.size() > 1 && random.nextInt(3) > 0) {
      List<byte[]> keys = new ArrayList<>(rest.keySet());
      byte[] high = keys.get(1 + random.nextInt(keys.size() - 1));
      trees.add(tree(rest.headMap(high, false), masks.clip(low, high)));
      low = high;
      rest = rest.tailMap(high, true);
    }
    trees.add(tree(rest, masks.clip(low, null)));
    return new Run(trees, entries, masks);
  }

  private PackedTree tree(NavigableMap<byte[], TreeModel.Value> entries, MaskedRanges masks) {
    TreeBuilder builder = TreeBuilder.inHeap(TreeModel.settings(random));
    return TreeModel.build(builder, entries, masks, random.nextBoolean());
  }

  private MaskedRanges randomMasks(byte[] alphabet) {
    List<MaskedRanges.Range> ranges = new ArrayList<>();
    while (random.nextInt(3) == 0) {
      byte[] a = TreeModel.key(random, alphabet, 6, new byte[0]);
      byte[] b = TreeModel.key(random, alphabet, 6, new byte[0]);
      int order = Arrays.compareUnsigned(a, b);
      if (random.nextInt(8) == 0) {
        ranges.add(new MaskedRanges.Range(a, null));
      } else if (order != 0) {
        ranges.add(new MaskedRanges.Range(order < 0 ? a : b, order < 0 ? b : a));
      }
    }
    return MaskedRanges.of(ranges);
  }

  private static MaskedRanges masksOf(List<Run> runs) {
    MaskedRanges masks = MaskedRanges.NONE;
    for (Run run : runs) {
      masks = masks.union(run.masks);
    }
    return masks;
  }

  private static NavigableMap<byte[], TreeModel.Value> expected(List<Run> runs, boolean bottom) {
    NavigableMap<byte[], TreeModel.Value> merged = TreeModel.empty();
    MaskedRanges all = masksOf(runs);
    for (Run run : runs.reversed()) {
      merged.keySet().removeIf(key -> run.masks.covers(key, key.length));
      merged.putAll(run.entries);
    }
    for (Map.Entry<byte[], TreeModel.Value> entry : new ArrayList<>(merged.entrySet())) {
      byte[] key = entry.getKey();
      if (entry.getValue().kind() == EntryKind.TOMBSTONE
          && (bottom || all.covers(key, key.length))) {
        merged.remove(key);
      }
    }
    return merged;
  }

  private void check(
      List<PackedTree> trees, NavigableMap<byte[], TreeModel.Value> entries, MaskedRanges masks) {
    TreeModel.checkScan(trees, entries);
    List<MaskedRanges.Range> ranges = new ArrayList<>();
    byte[] lastHigh = new byte[0];
    for (PackedTree tree : trees) {
      assertTrue(trees.size() == 1 || tree.entries() > 0);
      ranges.addAll(tree.masks().list());
      assertTrue(lastHigh != null && Arrays.compareUnsigned(lastHigh, tree.lowKey()) <= 0);
      lastHigh = tree.highKey();
      byte[] from = tree.summary().firstKey();
      byte[] to = tree.summary().lastKey();
      if (tree.entries() > 0) {
        TreeModel.check(tree, entries.subMap(from, true, to, true), random);
      }
    }
    List<MaskedRanges.Range> joined = MaskedRanges.of(ranges).list();
    assertEquals(masks.list().size(), joined.size());
    for (int i = 0; i < joined.size(); i++) {
      assertArrayEquals(masks.list().get(i).low(), joined.get(i).low());
      byte[] high = masks.list().get(i).high();
      if (high == null) {
        assertNull(joined.get(i).high());
      } else {
        assertArrayEquals(high, joined.get(i).high());
      }
    }
    assertTrue(!entries.isEmpty() || !masks.isEmpty() || trees.isEmpty());
  }

  /** Runs alone, again and again, with another run between: what copies say must be right. */
  @Test
  void copiedLeavesAreAsGoodAsNewOnes() {
    long seed = System.nanoTime();
    for (int round = 0; round < 60; round++) {
      random.setSeed(seed + round);
      try {
        copyAndMerge();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + (seed + round), e);
      }
    }
  }

  private void copyAndMerge() {
    byte[] alphabet = ALPHABETS[random.nextInt(ALPHABETS.length)];
    TreeSettings settings = TreeModel.settings(random);
    NavigableMap<byte[], TreeModel.Value> all = TreeModel.empty();
    List<PackedTree> trees = List.of();
    for (int i = 0; i < 4; i++) {
      NavigableMap<byte[], TreeModel.Value> more =
          TreeModel.random(random, 1 + random.nextInt(400), alphabet);
      TreeBuilder builder = TreeBuilder.inHeap(settings);
      PackedTree added = TreeModel.build(builder, more, MaskedRanges.NONE, random.nextBoolean());
      all.putAll(more);
      trees = merged(List.of(List.of(added), trees), settings);
      check(trees, all, MaskedRanges.NONE);
      trees = merged(List.of(trees), settings);
      check(trees, all, MaskedRanges.NONE);
      trees.forEach(TreeChecker::check);
    }
  }

  private List<PackedTree> merged(List<List<PackedTree>> runs, TreeSettings settings) {
    int treeBytes = 200 + random.nextInt(5000);
    TreeMerger merger = new TreeMerger(runs, false, settings, treeBytes, HeapTreeOutput::new);
    while (!merger.step(1 + random.nextInt(100))) {
      assertTrue(merger.keysRead() > 0);
    }
    return merger.result();
  }

  @Test
  void leavesOfOneRunAreCopiedUnlessTheyAreSmall() {
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.empty();
    for (int i = 0; i < 5000; i++) {
      byte[] key = {(byte) (i >>> 8), (byte) i};
      entries.put(key, new TreeModel.Value(EntryKind.PUT, new byte[] {(byte) i}));
    }
    PackedTree tree =
        TreeModel.build(
            TreeBuilder.inHeap(new TreeSettings(128, 10)), entries, MaskedRanges.NONE, false);
    // As they are no fuller than before, there are as many of them for a page of 144 bytes.
    long leaves = leaves(tree);
    assertEquals(leaves, leaves(merged(tree, 144)));
    assertTrue(leaves(merged(tree, 512)) < leaves / 2);
  }

  private static PackedTree merged(PackedTree tree, int pageBytes) {
    TreeMerger merger =
        new TreeMerger(
            List.of(List.of(tree)),
            false,
            new TreeSettings(pageBytes, 10),
            Long.MAX_VALUE,
            HeapTreeOutput::new);
    assertTrue(merger.step(Integer.MAX_VALUE));
    return merger.result().getFirst();
  }

  private static long leaves(PackedTree tree) {
    LeafWalk walk = new LeafWalk(tree);
    long count = 0;
    while (walk.next()) {
      count++;
    }
    return count;
  }

  /** Entries have the value of one before them that the merge drops, replaces or hides. */
  @Test
  void valuesOutliveTheEntryThatHeldThem() {
    NavigableMap<byte[], TreeModel.Value> old = TreeModel.empty();
    NavigableMap<byte[], TreeModel.Value> young = TreeModel.empty();
    for (int i = 0; i < 2000; i++) {
      byte[] key = {(byte) (i >>> 8), (byte) i};
      byte[] value = new byte[40];
      Arrays.fill(value, (byte) (i / 25));
      old.put(key, new TreeModel.Value(EntryKind.PUT, value));
      if (i % 25 == 0) {
        boolean isDeleted = i % 2 == 0;
        byte kind = isDeleted ? EntryKind.TOMBSTONE : EntryKind.PUT;
        young.put(key, new TreeModel.Value(kind, isDeleted ? new byte[0] : new byte[] {1}));
      }
    }
    MaskedRanges masks =
        MaskedRanges.of(
            List.of(new MaskedRanges.Range(new byte[] {2, 10}, new byte[] {2, (byte) 130})));
    for (boolean bottom : new boolean[] {false, true}) {
      Run newer = new Run(List.of(tree(young, masks)), young, masks);
      Run older = new Run(List.of(tree(old, MaskedRanges.NONE)), old, MaskedRanges.NONE);
      TreeMerger merger =
          new TreeMerger(
              List.of(newer.trees, older.trees),
              bottom,
              TreeModel.settings(random),
              3000,
              HeapTreeOutput::new);
      assertTrue(merger.step(Integer.MAX_VALUE));
      MaskedRanges left = bottom ? MaskedRanges.NONE : masks;
      check(merger.result(), expected(List.of(newer, older), bottom), left);
    }
  }

  @Test
  void abortDropsWhatWasMade() {
    int[] aborted = {0};
    TreeMerger merger =
        new TreeMerger(
            List.of(randomRun(300, new byte[0]).trees),
            false,
            TreeSettings.DEFAULT,
            100,
            () -> new CountingOutput(aborted));
    assertTrue(merger.step(Integer.MAX_VALUE));
    int trees = merger.result().size();
    merger.abort();
    assertEquals(trees, aborted[0]);
  }

  private record CountingOutput(HeapTreeOutput output, int[] aborted) implements TreeOutput {
    CountingOutput(int[] aborted) {
      this(new HeapTreeOutput(), aborted);
    }

    @Override
    public long append(java.lang.foreign.MemorySegment page) {
      return output.append(page);
    }

    @Override
    public PackedTree finish(
        TreeSummary summary, @org.jspecify.annotations.Nullable BlockedBloomFilter filter) {
      return output.finish(summary, filter);
    }

    @Override
    public void abort() {
      aborted[0]++;
    }
  }
}
