package io.github.coppicedb.top;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.format.ValueReference;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.MaskedRanges;
import io.github.coppicedb.tree.PackedTree;
import io.github.coppicedb.tree.TreeSettings;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sealed top answers as the view it was made of. */
class TopSealerTest {
  private static final TreeSettings SMALL = new TreeSettings(64, 10);
  private static final byte[] NOTHING = {};

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @ParameterizedTest
  @CsvSource({"2, 3", "2, 8", "256, 2", "4, 30", "3, 6"})
  void theTreeAnswersAsTheView(int alphabet, int maxLength) {
    System.out.println("seed " + seed);
    for (int round = 0; round < 15; round++) {
      ArenaTop top = new ArenaTop(random.nextBoolean());
      TopModel model = new TopModel();
      List<Integer> marks = new ArrayList<>(List.of(0));
      List<TopModel> models = new ArrayList<>(List.of(model.copy()));
      for (int changes = random.nextInt(300); changes > 0; changes--) {
        change(top, model, alphabet, maxLength);
        if (random.nextInt(30) == 0) {
          top.publish();
          marks.add(top.mark());
          models.add(model.copy());
          top.view(top.mark()).cursor();
        }
      }
      for (int i = 0; i < 3; i++) {
        int at = random.nextInt(marks.size());
        check(models.get(at), top.seal(marks.get(at), SMALL));
      }
      top.publish();
      check(model, top.seal(top.mark(), SMALL));
      model.check(top.view(top.mark()), random, alphabet, maxLength);
    }
  }

  @Test
  void aTopOfMasksIsSealedAtAMarkBeforeThem() {
    ArenaTop top = new ArenaTop(true);
    top.publish();
    int before = top.mark();
    top.maskRange(new byte[] {1}, new byte[] {2});
    top.publish();
    assertFalse(top.view(top.mark()).cursor().first());
    PackedTree tree = top.seal(before, SMALL);
    assertEquals(0, tree.entries());
    assertTrue(tree.masks().isEmpty());
    assertFalse(top.seal(top.mark(), SMALL).masks().isEmpty());
  }

  private void change(ArenaTop top, TopModel model, int alphabet, int maxLength) {
    byte[] key = TopModel.key(random, alphabet, maxLength);
    switch (random.nextInt(20)) {
      case 0 -> {
        byte @Nullable [] high = random.nextInt(9) == 0 ? null : Arrays.copyOf(key, maxLength + 1);
        top.maskRange(key, high);
        model.mask(key, high);
      }
      case 1, 2, 3, 4 -> {
        top.putTombstone(key, key.length);
        model.put(key, EntryKind.TOMBSTONE, NOTHING);
      }
      case 5 -> put(top, model, key, EntryKind.LARGE, new byte[ValueReference.BYTES]);
      default -> put(top, model, key, EntryKind.PUT, new byte[random.nextInt(10)]);
    }
  }

  private void put(ArenaTop top, TopModel model, byte[] key, byte kind, byte[] value) {
    random.nextBytes(value);
    top.put(key, key.length, kind, MemorySegment.ofArray(value), 0, value.length);
    model.put(key, kind, value);
  }

  private static void check(TopModel model, PackedTree tree) {
    MaskedRanges masks = MaskedRanges.of(model.masks);
    assertEquals(masks.list().size(), tree.masks().list().size());
    EntryCursor cursor = tree.cursor();
    EntryValue value = new EntryValue();
    int entries = 0;
    for (Map.Entry<byte[], TopModel.State> entry : model.entries.entrySet()) {
      byte[] key = entry.getKey();
      boolean isTombstone = entry.getValue().kind() == EntryKind.TOMBSTONE;
      boolean isKept = !isTombstone || !masks.covers(key, key.length);
      assertEquals(isKept, tree.find(key, key.length, KeyHash.of(key, key.length), value));
      if (isKept) {
        TopModel.checkState(entry.getValue(), value);
        assertTrue(cursor.next());
        assertArrayEquals(key, Arrays.copyOf(cursor.key(), cursor.keyLength()));
        cursor.value(value);
        TopModel.checkState(entry.getValue(), value);
        entries++;
      }
    }
    assertFalse(cursor.next());
    assertEquals(entries, tree.entries());
    assertEquals(entries, tree.check().entries());
  }

  @Test
  void anEmptyTopBecomesAnEmptyTree() {
    PackedTree tree = new ArenaTop(true).seal(0, TreeSettings.DEFAULT);
    assertEquals(0, tree.entries());
    assertTrue(tree.masks().isEmpty());
  }

  @Test
  void sealingWhatComesInOrderNeedsNoSort() {
    ArenaTop top = new ArenaTop(false);
    for (int i = 0; i < 20_000; i++) {
      byte[] key = {(byte) (i >> 16), (byte) (i >> 8), (byte) i};
      top.putTombstone(key, key.length);
    }
    assertEquals(20_000, top.seal(top.mark(), TreeSettings.DEFAULT).tombstones());
  }
}
