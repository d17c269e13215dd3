package io.github.coppicedb.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.storage.MemoryStorage;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.TreeSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Levels under random flushes and merges against a map, and what must hold of them. */
final class LevelPolicyTest {
  private static final Tuning TINY =
      new Tuning(512, 1 << 13, 600, 1 << 12, 1 << 14, 2048, 3, 2, 3, 2, new TreeSettings(128, 10));

  private final Tuning tuning = TINY;
  private final LevelPolicy policy = new LevelPolicy(tuning);
  private final TreeStore store = new TreeStore(new MemoryStorage(), 1, new FileNumbers(1), tuning);
  private Levels levels = Levels.NONE;

  /** Stores what a top holds, as a flush does. */
  private StoredRun flushed(ArenaTop top) {
    List<Run> runs = List.of(new Run(List.of(top.seal(top.mark(), tuning.tree()))));
    return StoredRun.of(store.mergeToFiles(runs, policy.hidesNothing(levels, runs)));
  }

  private List<StoredTree> merged(LevelPolicy.Plan plan) {
    if (plan.isMove()) {
      return plan.sources().getFirst().trees();
    }
    List<Run> inputs = new ArrayList<>();
    plan.sources().forEach(run -> inputs.add(run.run()));
    inputs.add(StoredRun.of(plan.overlapped()).run());
    return store.mergeToFiles(inputs, plan.bottom());
  }

  private void check(LayerModel model) {
    for (StoredRun run : levels.runs()) {
      for (int i = 1; i < run.trees().size(); i++) {
        byte[] high = run.trees().get(i - 1).tree().highKey();
        assertNotNull(high);
        assertTrue(Arrays.compareUnsigned(high, run.trees().get(i).tree().lowKey()) <= 0);
      }
    }
    List<Layer> layers = new ArrayList<>();
    levels.runs().forEach(run -> layers.add(run.run()));
    model.check(new LayerStack(layers));
  }

  @RepeatedTest(12)
  void randomFlushesAndMergesLoseNothing() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    LayerModel model = new LayerModel(random, 2 + random.nextInt(4), 5);
    for (int i = 0; i < 60; i++) {
      LevelPolicy.Plan plan =
          switch (random.nextInt(4)) {
            case 0 -> policy.pick(levels, MergeClaims.NONE, false);
            case 1 -> policy.pick(levels, MergeClaims.NONE, true);
            default -> random.nextInt(20) == 0 ? policy.mergeAll(levels) : null;
          };
      ArenaTop top = new ArenaTop(false);
      if (random.nextInt(3) > 0) {
        model.change(top, 1 + random.nextInt(random.nextBoolean() ? 4 : 60));
      }
      StoredRun run = flushed(top);
      levels = plan == null ? policy.place(levels, run) : levels.withNewest(run);
      check(model);
      if (plan != null) {
        levels = policy.apply(levels, plan, merged(plan));
        check(model);
      }
    }
    for (LevelPolicy.Plan plan; (plan = policy.pick(levels, MergeClaims.NONE, true)) != null; ) {
      levels = policy.apply(levels, plan, merged(plan));
      check(model);
    }
    assertEquals(0, levels.level0().size());
  }

  /**
   * A merge that goes down and joins in level 0 beside it end in any order; flushes come between.
   */
  @RepeatedTest(12)
  void mergesBesideEachOtherLoseNothing() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    LayerModel model = new LayerModel(random, 2 + random.nextInt(4), 5);
    MergeClaims claims = MergeClaims.NONE;
    int beside = 0;
    for (int i = 0; i < 200; i++) {
      if (!policy.isFull(levels)) {
        ArenaTop top = new ArenaTop(false);
        model.change(top, 1 + random.nextInt(random.nextBoolean() ? 4 : 60));
        StoredRun run = flushed(top);
        levels = claims.isEmpty() ? policy.place(levels, run) : levels.withNewest(run);
      }
      assertTrue(levels.level0().size() <= tuning.level0Bound());
      LevelPolicy.Plan begun = policy.pick(levels, claims, random.nextInt(4) == 0);
      if (begun != null) {
        claims = claims.with(begun);
      }
      assertTrue(!policy.isFull(levels) || !claims.isEmpty());
      beside += claims.join() != null && claims.down() != null ? 1 : 0;
      LevelPolicy.Plan ends = random.nextInt(3) == 0 ? claims.down() : claims.join();
      if (ends != null) {
        levels = policy.apply(levels, ends, merged(ends));
        claims = claims.without(ends);
      }
      check(model);
    }
    assertTrue(beside > 0);
  }

  /** Does all merges that are due; the work must come to an end. */
  private void drain(LevelPolicy large, TreeStore trees, boolean all) {
    int steps = 0;
    for (LevelPolicy.Plan plan;
        (plan = large.pick(levels, MergeClaims.NONE, all)) != null;
        steps++) {
      List<StoredTree> results;
      if (plan.isMove()) {
        results = plan.sources().getFirst().trees();
      } else {
        List<Run> inputs = new ArrayList<>();
        plan.sources().forEach(run -> inputs.add(run.run()));
        inputs.add(StoredRun.of(plan.overlapped()).run());
        results = trees.mergeToFiles(inputs, plan.bottom());
      }
      levels = large.apply(levels, plan, results);
      assertTrue(steps < 100);
    }
  }

  private void drainMany(@Nullable Random random, int flushes, int keys) {
    Tuning user = Tuning.of(io.github.coppicedb.DatabaseOptions.defaults());
    LevelPolicy large = new LevelPolicy(user);
    TreeStore trees = new TreeStore(new MemoryStorage(), 1, new FileNumbers(1), user);
    for (int i = 0; i < flushes; i++) {
      ArenaTop top = new ArenaTop(false);
      for (int j = 0; j < (i == 0 ? 20_000 : keys); j++) {
        int number = random == null ? i * 20_000 + j : random.nextInt();
        byte[] key = "%012d".formatted(number).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        top.put(key, key.length, (byte) 0, java.lang.foreign.MemorySegment.ofArray(key), 0, 12);
      }
      List<Run> runs = List.of(new Run(List.of(top.seal(top.mark(), user.tree()))));
      levels = large.place(levels, StoredRun.of(trees.mergeToFiles(runs, false)));
      drain(large, trees, random != null);
    }
  }

  @Test
  void manySmallFlushesMakeFewLevels() {
    drainMany(new Random(1), 900, 5);
    assertTrue(levels.deeper().size() <= 5, "levels: " + levels.deeper().size());
  }

  @Test
  void manySmallFlushesInOrderMakeFewTrees() {
    drainMany(null, 300, 3);
    assertTrue(levels.trees().size() <= 40, "trees: " + levels.trees().size());
  }

  /** A level is not rewritten for each few small runs over it; but a get looks into few of them. */
  @Test
  void smallRunsGatherOverALargeLevel() {
    Tuning user = Tuning.of(io.github.coppicedb.DatabaseOptions.defaults());
    LevelPolicy large = new LevelPolicy(user);
    TreeStore trees = new TreeStore(new MemoryStorage(), 1, new FileNumbers(1), user);
    LayerModel model = new LayerModel(new Random(7), 8, 8);
    long flushed = 0;
    long written = 0;
    for (int i = 0; i < 60; i++) {
      ArenaTop top = new ArenaTop(false);
      int keys = i == 0 ? 20_000 : 600;
      for (int j = 0; j < keys; j++) {
        model.put(top, model.key());
      }
      List<Run> runs = List.of(new Run(List.of(top.seal(top.mark(), user.tree()))));
      StoredRun run = StoredRun.of(trees.mergeToFiles(runs, false));
      levels = large.place(levels, run);
      flushed += i == 0 ? 0 : run.bytes();
      for (LevelPolicy.Plan plan; (plan = large.pick(levels, MergeClaims.NONE, false)) != null; ) {
        List<Run> inputs = new ArrayList<>();
        plan.sources().forEach(source -> inputs.add(source.run()));
        inputs.add(StoredRun.of(plan.overlapped()).run());
        List<StoredTree> results = trees.mergeToFiles(inputs, plan.bottom());
        written += StoredRun.of(results).bytes();
        levels = large.apply(levels, plan, results);
      }
      assertTrue(levels.level0().size() <= 8, "runs: " + levels.level0().size());
      if (i % 10 == 9) {
        check(model);
      }
    }
    assertTrue(written < 5 * flushed, "%d written for %d".formatted(written, flushed));
  }

  @Test
  void nothingIsDueInNothing() {
    assertNull(policy.pick(Levels.NONE, MergeClaims.NONE, true));
    assertNull(policy.mergeAll(Levels.NONE));
  }
}
