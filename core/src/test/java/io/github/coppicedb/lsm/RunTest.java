package io.github.coppicedb.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.storage.MemoryStorage;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.TreeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Which runs can be read as one, and that nothing is lost or turned round by it. */
final class RunTest {
  private static final TreeSettings SETTINGS = new TreeSettings(128, 10);

  private static Run run(String... keys) {
    ArenaTop top = new ArenaTop(false);
    for (String key : keys) {
      top.put(key.getBytes(UTF_8), key.length(), new byte[] {1});
    }
    return new Run(List.of(top.seal(top.mark(), SETTINGS)));
  }

  private static Run masking(String low, String high) {
    ArenaTop top = new ArenaTop(false);
    top.maskRange(low.getBytes(UTF_8), high.getBytes(UTF_8));
    return new Run(List.of(top.seal(top.mark(), SETTINGS)));
  }

  @Test
  void neighboursThatDoNotOverlapBecomeOne() {
    List<Run> joined = Run.joined(List.of(run("m", "n"), run("a", "b"), run("x"), run("o", "w")));
    assertEquals(1, joined.size());
    assertEquals(4, joined.getFirst().size());
  }

  @Test
  void whatOverlapsStaysInItsOrder() {
    Run newest = run("c");
    Run middle = run("b", "d");
    Run oldest = run("e");
    List<Run> joined = Run.joined(List.of(newest, middle, oldest));
    assertEquals(2, joined.size());
    assertSame(newest, joined.getFirst());
    assertEquals(2, joined.getLast().size());
  }

  @Test
  void aMaskedRangeOverlapsWhatItHides() {
    assertTrue(masking("b", "d").overlaps(run("c")));
    assertTrue(run("c").overlaps(masking("b", "d")));
    assertFalse(masking("b", "d").overlaps(run("a", "az")));
    assertFalse(masking("b", "d").overlaps(run("d")));
  }

  @Test
  void anEmptyTreeIsLeftOut() {
    List<Run> joined = Run.joined(List.of(run(), run("a"), run(), run("b")));
    assertEquals(1, joined.size());
    assertEquals(2, joined.getFirst().size());
  }

  /** Rising, falling and random ranges, in heap and in files, with masks, against a map. */
  @RepeatedTest(20)
  void joinedRunsReadAsBefore() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Tuning tuning =
        new Tuning(
            random.nextInt(2000), 1 << 13, 300, 1 << 12, 1 << 14, 2048, 3, 2, 3, 2, SETTINGS);
    TreeStore store = new TreeStore(new MemoryStorage(), 1, new FileNumbers(1), tuning);
    LayerModel model = new LayerModel(random, 6, 3);
    List<Run> runs = new ArrayList<>();
    int shape = random.nextInt(3);
    for (int i = 0; i < 12; i++) {
      ArenaTop top = new ArenaTop(false);
      byte prefix = (byte) (shape == 0 ? i : shape == 1 ? 20 - i : random.nextInt(20));
      for (int j = random.nextInt(30); j >= 0; j--) {
        byte[] key = model.key();
        byte[] prefixed = new byte[key.length + 1];
        prefixed[0] = prefix;
        System.arraycopy(key, 0, prefixed, 1, key.length);
        model.put(top, prefixed);
      }
      if (random.nextInt(6) == 0) {
        model.change(top, 3);
      }
      runs.addFirst(new Run(List.of(top.seal(top.mark(), SETTINGS))));
      model.check(new LayerStack(List.copyOf(Run.joined(runs))));
    }
    assertTrue(shape == 2 || Run.joined(runs).size() < runs.size());
    model.check(new LayerStack(List.of(store.mergeToHeap(runs, SETTINGS))));
    model.check(new LayerStack(List.of(StoredRun.of(store.mergeToFiles(runs, true)).run())));
  }
}
