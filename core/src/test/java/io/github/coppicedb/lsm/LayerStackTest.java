package io.github.coppicedb.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.storage.MemoryStorage;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.TreeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Stacks of real tops and runs of real trees, with tombstones and masks, against a map. */
final class LayerStackTest {
  private static final Tuning TUNING =
      new Tuning(512, 1 << 13, 300, 1 << 12, 1 << 14, 2048, 3, 2, 3, 2, new TreeSettings(128, 10));

  private final TreeStore store = new TreeStore(new MemoryStorage(), 1, new FileNumbers(1), TUNING);

  /** Returns what a top holds in one of the forms that a layer can have. */
  private Layer layer(ArenaTop top, Random random) {
    int mark = top.mark();
    if (random.nextBoolean()) {
      return new TopLayer(top, mark);
    }
    Run run = new Run(List.of(top.seal(mark, TUNING.tree())));
    return random.nextBoolean() ? run : StoredRun.of(store.mergeToFiles(List.of(run), false)).run();
  }

  @RepeatedTest(15)
  void layersReadAsOneMap() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    LayerModel model = new LayerModel(random, 2 + random.nextInt(3), 2 + random.nextInt(4));
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      ArenaTop top = new ArenaTop(random.nextBoolean());
      model.change(top, random.nextInt(40));
      top.publish();
      layers.addFirst(layer(top, random));
      model.check(new LayerStack(layers));
    }
  }

  @RepeatedTest(15)
  void manyLayersReadAsOneMap() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    LayerModel model = new LayerModel(random, 2 + random.nextInt(20), 1 + random.nextInt(12));
    int count = 1 + random.nextInt(80);
    int most = 1 + random.nextInt(20);
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ArenaTop top = new ArenaTop(random.nextBoolean());
      model.change(top, random.nextInt(most + 1));
      top.publish();
      layers.addFirst(random.nextInt(30) == 0 ? severalTrees(top, random) : layer(top, random));
    }
    model.check(new LayerStack(layers));
  }

  /** Returns a run of many trees, if the top has so many entries. */
  private Layer severalTrees(ArenaTop top, Random random) {
    Run run = new Run(List.of(top.seal(top.mark(), TUNING.tree())));
    return random.nextBoolean()
        ? store.mergeToHeap(List.of(run), TUNING.tree())
        : StoredRun.of(store.mergeToFiles(List.of(run), false)).run();
  }

  @RepeatedTest(15)
  void neighboursMergeToTheSame() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    LayerModel model = new LayerModel(random, 2 + random.nextInt(3), 2 + random.nextInt(4));
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      ArenaTop top = new ArenaTop(false);
      model.change(top, random.nextInt(30));
      layers.addFirst(new Run(List.of(top.seal(top.mark(), TUNING.tree()))));
      int from = random.nextInt(layers.size());
      int to = from + 1 + random.nextInt(Math.min(4, layers.size() - from));
      List<Layer> row = layers.subList(from, to);
      List<Run> runs = row.stream().map(item -> (Run) item).toList();
      boolean bottom = to == layers.size();
      Run merged =
          !bottom && random.nextBoolean()
              ? store.mergeToHeap(runs, TUNING.tree())
              : StoredRun.of(store.mergeToFiles(runs, bottom)).run();
      row.clear();
      layers.add(from, merged);
      model.check(new LayerStack(layers));
    }
  }

  @Test
  void nothingIsEmpty() {
    EntryCursor cursor = new LayerStack(List.of()).cursor();
    assertFalse(cursor.first());
    assertFalse(cursor.last());
    assertFalse(cursor.next());
    assertFalse(cursor.previous());
    assertFalse(cursor.seekCeiling(new byte[0], 0));
    assertFalse(cursor.seekFloor(new byte[0], 0));
    assertFalse(new LayerStack(List.of(Run.EMPTY)).find(new byte[0], 0, new EntryValue()));
  }

  @Test
  void aRunFindsTheTreeOfAKey() {
    LayerModel model = new LayerModel(new Random(1), 2, 1);
    List<StoredTree> trees = new ArrayList<>();
    for (String key : List.of("b", "d", "f")) {
      ArenaTop top = new ArenaTop(false);
      model.put(top, key.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      Run run = new Run(List.of(top.seal(top.mark(), TUNING.tree())));
      trees.addAll(store.mergeToFiles(List.of(run), false));
    }
    Run run = StoredRun.of(trees).run();
    assertEquals(-1, run.indexOf(new byte[] {'a'}, 1));
    assertEquals(0, run.indexOf(new byte[] {'b'}, 1));
    assertEquals(0, run.indexOf(new byte[] {'c'}, 1));
    assertEquals(2, run.indexOf(new byte[] {'z'}, 1));
    model.check(new LayerStack(List.of(run)));
    RunCursor cursor = new RunCursor(run);
    byte[] key = {'c'};
    assertTrue(cursor.seekCeiling(key, 1));
    assertEquals('d', cursor.key()[0]);
    assertTrue(cursor.seekFloor(key, 1));
    assertEquals('b', cursor.key()[0]);
    assertFalse(cursor.previous());
    assertTrue(cursor.previous());
    assertEquals('f', cursor.key()[0]);
  }
}
