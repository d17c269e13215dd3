package io.github.coppicedb.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import java.nio.charset.StandardCharsets;
import java.util.NavigableMap;
import org.junit.jupiter.api.Test;

/** When a tree's filter is asked, and that a tree that passes it by finds the same. */
class FilterUseTest {
  private static void noteSamples(FilterUse use, int samples, boolean found) {
    for (long hash = 0; hash < 64L * samples; hash++) {
      use.note(hash, found);
    }
  }

  @Test
  void presentKeysMakeItUselessAndAnAbsentOneUseful() {
    FilterUse use = new FilterUse();
    assertTrue(use.isWorthWhile());
    noteSamples(use, 15, true);
    assertTrue(use.isWorthWhile());
    noteSamples(use, 1, true);
    assertFalse(use.isWorthWhile());
    noteSamples(use, 1, false);
    assertTrue(use.isWorthWhile());
    noteSamples(use, 15, true);
    assertTrue(use.isWorthWhile(), "absent keys count for all that were present before");
  }

  @Test
  void oneOfTenAbsentKeepsIt() {
    FilterUse use = new FilterUse();
    for (int round = 0; round < 100; round++) {
      noteSamples(use, 9, true);
      noteSamples(use, 1, false);
      assertTrue(use.isWorthWhile());
    }
  }

  @Test
  void keysAreFoundOrNotAllTheSame() {
    NavigableMap<byte[], TreeModel.Value> entries = TreeModel.empty();
    for (int i = 0; i < 8_000; i += 2) {
      entries.put(bytes(i), new TreeModel.Value(EntryKind.PUT, bytes(-i)));
    }
    PackedTree tree =
        TreeModel.build(
            TreeBuilder.inHeap(new TreeSettings(512, 10)), entries, MaskedRanges.NONE, true);
    for (int round = 0; round < 3; round++) {
      assertEquals(4_000, found(tree, 0), "present keys");
      assertEquals(0, found(tree, 1), "absent keys");
    }
  }

  private static int found(PackedTree tree, int from) {
    EntryValue out = new EntryValue();
    int found = 0;
    for (int i = from; i < 8_000; i += 2) {
      byte[] key = bytes(i);
      if (tree.find(key, key.length, KeyHash.of(key, key.length), out)) {
        assertEquals("" + -i, new String(out.copy(), StandardCharsets.US_ASCII));
        found++;
      }
    }
    return found;
  }

  private static byte[] bytes(int number) {
    return ("" + number).getBytes(StandardCharsets.US_ASCII);
  }
}
