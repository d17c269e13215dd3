package io.github.coppicedb.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.storage.FaultyStorage;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.TreeSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The layers of a large transaction, merged and spilled by threads, against a map. */
final class PrivateLayersTest {
  private static final Tuning TUNING =
      new Tuning(512, 1 << 12, 900, 1 << 12, 1 << 14, 2048, 3, 2, 3, 2, new TreeSettings(128, 10));

  private final AtomicInteger users = new AtomicInteger();

  @TempDir private Path directory;

  private FaultyStorage storage;
  private TreeStore store;

  @BeforeEach
  void open() {
    storage = new FaultyStorage(DirectoryStorage.open(directory, true));
    store = new TreeStore(storage, 1, new FileNumbers(1), TUNING);
  }

  @AfterEach
  void close() {
    store.close();
    storage.close();
  }

  private static void push(PrivateLayers layers, LayerModel model, int changes) {
    ArenaTop top = new ArenaTop(false);
    model.change(top, changes);
    layers.push(top);
    layers.throttle();
  }

  @RepeatedTest(9)
  void layersGoBackToSections(RepetitionInfo repetition) {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    LayerModel model = new LayerModel(random, 3, 5);
    List<Integer> sections = new ArrayList<>();
    List<TreeMap<byte[], byte[]>> maps = new ArrayList<>();
    boolean toFiles = random.nextBoolean();
    try (Background background = new Background("test", repetition.getCurrentRepetition() % 3)) {
      PrivateLayers layers = new PrivateLayers(store, TUNING, background, users);
      for (int i = 0; i < 60; i++) {
        push(layers, model, 1 + random.nextInt(25));
        if (random.nextInt(5) == 0) {
          sections.add(layers.beginSection());
          maps.add(new TreeMap<>(model.map));
        }
        if (!sections.isEmpty() && random.nextInt(12) == 0) {
          int to = random.nextInt(sections.size());
          layers.rollbackTo(sections.get(to));
          model.map.clear();
          model.map.putAll(maps.get(to));
          sections.subList(to + 1, sections.size()).clear();
          maps.subList(to + 1, maps.size()).clear();
        }
        model.check(new LayerStack(layers.layers()));
      }
      layers.finish(toFiles);
      model.check(new LayerStack(layers.layers()));
      if (toFiles) {
        layers.items().forEach(item -> assertTrue(item.isFiles()));
        long[] numbers = layers.fileNumbers();
        assertEquals(numbers.length, Arrays.stream(numbers).distinct().count());
        if (background.isInline()) {
          // Threads may not have removed yet what was rolled back.
          assertEquals(numbers.length, storage.list().size());
        }
      }
      layers.discard();
    }
    assertEquals(0, users.get());
    assertEquals(List.of(), storage.list());
  }

  /** Whoever only writes pays for no filter and few merges; the first read makes up for it. */
  @Test
  void layersThatNobodyReadsAreMergedLate() {
    Tuning roomy =
        new Tuning(
            512, 1 << 20, 900, 1 << 12, 1 << 14, 2048, 3, 2, 3, 2, new TreeSettings(128, 10));
    try (Background background = new Background("test", 0)) {
      PrivateLayers unread = new PrivateLayers(store, roomy, background, users);
      PrivateLayers read = new PrivateLayers(store, roomy, background, users);
      read.layers();
      LayerModel model = new LayerModel(new Random(5), 6, 8);
      int tops = 100;
      for (int i = 0; i < tops; i++) {
        ArenaTop top = new ArenaTop(false);
        model.change(top, 20);
        unread.push(top);
        unread.throttle();
        read.push(top);
        read.throttle();
      }
      assertEquals(tops, unread.items().size());
      assertTrue(read.items().size() < tops / 4, "merged as they come");
      ShelfItem withFilter = read.items().getFirst();
      ShelfItem without = unread.items().getFirst();
      assertEquals(withFilter.rank(), without.rank(), "the same top, packed");
      assertTrue(without.heapBytes() < withFilter.heapBytes(), "no filter");
      model.check(new LayerStack(unread.layers()));
      assertTrue(unread.items().size() < tops / 4, "merged at the first read");
      assertEquals(read.items().size(), unread.items().size(), 3);
      model.check(new LayerStack(read.layers()));
      unread.discard();
      read.discard();
    }
  }

  /** A get of a transaction asks all of its layers: they are kept fewer than the shared ones. */
  @Test
  void layersThatAreReadAreFew() {
    Tuning wide =
        new Tuning(
            512, 1 << 20, 900, 1 << 12, 1 << 14, 2048, 8, 2, 3, 2, new TreeSettings(128, 10));
    try (Background background = new Background("test", 0)) {
      PrivateLayers layers = new PrivateLayers(store, wide, background, users);
      LayerModel model = new LayerModel(new Random(6), 6, 8);
      int seen = 0;
      int tops = 128;
      for (int i = 0; i < tops; i++) {
        push(layers, model, 5);
        seen += layers.layers().size();
      }
      model.check(new LayerStack(layers.layers()));
      assertTrue(seen < 6 * tops, "layers a read: " + (double) seen / tops);
      layers.discard();
    }
  }

  @Test
  void aSpillThatFailsLeavesAllLayers() {
    LayerModel model = new LayerModel(new Random(3), 6, 8);
    try (Background background = new Background("test", 0)) {
      PrivateLayers layers = new PrivateLayers(store, TUNING, background, users);
      storage.failWhen((call, name) -> call == FaultyStorage.Call.WRITE);
      int failures = 0;
      for (int i = 0; i < 30; i++) {
        ArenaTop top = new ArenaTop(false);
        for (int j = 0; j < 40; j++) {
          model.put(top, model.key());
        }
        layers.push(top);
        try {
          layers.throttle();
        } catch (io.github.coppicedb.StorageFailureException e) {
          failures++;
        }
      }
      assertTrue(failures > 0);
      model.check(new LayerStack(layers.layers()));
      storage.heal();
      layers.finish(true);
      model.check(new LayerStack(layers.layers()));
      layers.discard();
    }
    assertEquals(List.of(), storage.list());
  }
}
