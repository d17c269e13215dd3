package io.github.coppicedb.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.EntryKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The way by the guide against the way through the pages. */
class LeafGuideTest {
  private static final TreeModel.Value NOTHING = new TreeModel.Value(EntryKind.PUT, new byte[0]);

  private static PackedTree build(NavigableMap<byte[], TreeModel.Value> entries, int pageBytes) {
    TreeBuilder builder = TreeBuilder.inHeap(new TreeSettings(pageBytes, 10));
    return TreeModel.build(builder, entries, MaskedRanges.NONE, true);
  }

  private static int compare(NavigableMap<byte[], TreeModel.Value> entries, Random random) {
    PackedTree tree = build(entries, 64 + random.nextInt(100));
    LeafGuide guide = tree.summary().height() > 1 ? LeafGuide.of(tree) : null;
    if (guide == null) {
      return 0;
    }
    TreePath path = new TreePath(tree);
    for (byte[] key : TreeModel.probes(entries, random)) {
      path.seek(key, key.length);
      byte[] buffer = Arrays.copyOf(key, key.length + random.nextInt(12));
      random.nextBytes(buffer);
      System.arraycopy(key, 0, buffer, 0, key.length);
      assertEquals(path.address(), guide.leaf(buffer, key.length));
    }
    return 1;
  }

  @Test
  void leadsWhereThePagesLead() {
    Random random = new Random();
    long seed = System.nanoTime();
    int compared = 0;
    for (int round = 0; round < 200; round++) {
      random.setSeed(seed + round);
      try {
        compared += compare(TreeModel.random(random, 500), random);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + (seed + round), e);
      }
    }
    assertTrue(compared > 30, compared + " guides");
  }

  @Test
  void manyKeysWithLongPrefixesAreTold() {
    Random random = new Random(7);
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.empty();
    for (int i = 0; i < 5_000; i++) {
      String folder =
          "/usr/share/some/folder/" + random.nextInt(9) + "/".repeat(random.nextInt(20));
      entries.put((folder + random.nextInt(400)).getBytes(StandardCharsets.UTF_8), NOTHING);
    }
    assertEquals(1, compare(entries, random));
  }

  @Test
  void keysThatGoOnAndOnHaveNoGuide() {
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.empty();
    for (int i = 1; i < 3_000; i++) {
      byte[] key = new byte[i];
      Arrays.fill(key, (byte) 'a');
      entries.put(key, NOTHING);
    }
    PackedTree tree = build(entries, 64);
    assertNull(LeafGuide.of(tree));
    TreeModel.check(tree, entries, new Random(3));
  }
}
