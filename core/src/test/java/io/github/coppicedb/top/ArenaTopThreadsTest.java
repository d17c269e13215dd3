package io.github.coppicedb.top;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Several threads read a shared top, at the latest mark and at past ones, while one writes it. What
 * a key must be follows from the number of the batch that was published last, so that readers need
 * no model that is locked.
 */
class ArenaTopThreadsTest {
  private static final int READERS = 3;
  private static final int ROUNDS = 5;
  private static final int BATCHES = 2000;
  private static final int NEW_KEYS = 5;
  private static final int MASKED_KEYS = 8;
  private static final int MASK_EVERY = 13;
  private static final int FROZEN_BATCHES = 200;
  private static final int FROZEN_READS = 2000;

  private final long seed = System.nanoTime();

  @Test
  void readersSeeExactlyWhatWasPublishedBeforeTheirMark() throws Exception {
    System.out.println("seed " + seed);
    try (ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
      for (int round = 0; round < ROUNDS; round++) {
        // Small at first, so that array and index grow under the readers' eyes.
        ArenaTop top = new ArenaTop(true, 64);
        Map<Integer, Integer> batches = new ConcurrentHashMap<>(Map.of(0, 0));
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
          Random random = new Random(seed + 31L * round + i);
          results.add(threads.submit(() -> read(top, batches, random)));
        }
        for (int batch = 1; batch <= BATCHES; batch++) {
          write(top, batch);
          batches.put(top.bytes(), batch);
          top.publish();
          LockSupport.parkNanos(1);
        }
        for (Future<Integer> result : results) {
          assertTrue(result.get() > 0);
        }
      }
    }
  }

  @Test
  void severalThreadsReadAFrozenTop() throws Exception {
    System.out.println("seed " + seed);
    try (ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
      for (int round = 0; round < ROUNDS; round++) {
        ArenaTop top = ArenaTop.expecting(1 << 16);
        for (int batch = 1; batch <= FROZEN_BATCHES; batch++) {
          write(top, batch);
        }
        top.freeze();
        TopView view = top.view(top.mark());
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
          Random random = new Random(seed + 31L * round + i);
          results.add(threads.submit(() -> readFrozen(view, random)));
        }
        // Validation asks for changes meanwhile, which makes an index.
        byte[] written = key('k', FROZEN_BATCHES);
        byte[] never = key('x', 1);
        assertTrue(top.changedSince(0, written, 5, KeyHash.of(written, 5)));
        assertFalse(top.changedSince(0, never, 5, KeyHash.of(never, 5)));
        for (Future<Integer> result : results) {
          assertEquals(FROZEN_READS, result.get());
        }
      }
    }
  }

  private static int readFrozen(TopView view, Random random) {
    EntryValue value = new EntryValue();
    int reads = 0;
    for (; reads < FROZEN_READS; reads++) {
      checkKey(view, FROZEN_BATCHES, random, value);
    }
    checkCursor(view, FROZEN_BATCHES);
    return reads;
  }

  private static void write(ArenaTop top, int batch) {
    if (batch % MASK_EVERY == 0) {
      top.maskRange(key('m', 0), key('n', 0));
    }
    for (int i = 0; i < NEW_KEYS; i++) {
      put(top, key('k', batch * NEW_KEYS + i), batch);
    }
    put(top, key('h', 0), -batch);
    put(top, key('h', 0), batch);
    put(top, key('m', batch % MASKED_KEYS), batch);
  }

  /** Reads until the last batch was seen and returns the number of marks that were seen. */
  private static int read(ArenaTop top, Map<Integer, Integer> batches, Random random) {
    List<TopView> views = new ArrayList<>();
    EntryValue value = new EntryValue();
    int last = 0;
    while (last < BATCHES) {
      TopView latest = top.view(top.mark());
      last = batchOf(batches, latest);
      views.add(latest);
      TopView view = random.nextInt(4) == 0 ? views.get(random.nextInt(views.size())) : latest;
      int batch = batchOf(batches, view);
      for (int i = 0; i < 6; i++) {
        checkKey(view, batch, random, value);
      }
      assertEquals(batch >= MASK_EVERY, view.masks().covers(key('m', 3), 5));
      if (random.nextInt(batch + 20) < 2) {
        checkCursor(view, batch);
      }
    }
    return (int) views.stream().mapToInt(TopView::mark).distinct().count();
  }

  private static int batchOf(Map<Integer, Integer> batches, TopView view) {
    return Objects.requireNonNull(batches.get(view.mark()));
  }

  private static void checkKey(TopView view, int batch, Random random, EntryValue value) {
    switch (random.nextInt(4)) {
      case 0 -> check(view, key('h', 0), batch, value);
      case 1 -> {
        int i = random.nextInt(MASKED_KEYS);
        check(view, key('m', i), masked(batch, i), value);
      }
      default -> {
        int i = random.nextInt((batch + 3) * NEW_KEYS);
        boolean isThere = i >= NEW_KEYS && i < (batch + 1) * NEW_KEYS;
        check(view, key('k', i), isThere ? i / NEW_KEYS : 0, value);
      }
    }
  }

  /** Returns the batch that wrote a masked key last, 0 for none, -1 if it was deleted since. */
  private static int masked(int batch, int i) {
    int written = batch - Math.floorMod(batch - i, MASKED_KEYS);
    boolean isDeleted = batch / MASK_EVERY * MASK_EVERY > written;
    return written <= 0 ? 0 : isDeleted ? -1 : written;
  }

  private static void check(TopView view, byte[] key, int expected, EntryValue value) {
    boolean found = view.find(key, key.length, KeyHash.of(key, key.length), value);
    assertEquals(expected != 0, found);
    if (found) {
      assertEquals(expected, number(value));
    }
  }

  private static void checkCursor(TopView view, int batch) {
    NavigableMap<byte[], Integer> expected = new TreeMap<>(Arrays::compareUnsigned);
    if (batch > 0) {
      expected.put(key('h', 0), batch);
    }
    for (int i = NEW_KEYS; i < (batch + 1) * NEW_KEYS; i++) {
      expected.put(key('k', i), i / NEW_KEYS);
    }
    for (int i = 0; i < MASKED_KEYS; i++) {
      int number = masked(batch, i);
      if (number != 0) {
        expected.put(key('m', i), number);
      }
    }
    EntryCursor cursor = view.cursor();
    EntryValue value = new EntryValue();
    expected.forEach(
        (key, number) -> {
          assertTrue(cursor.next());
          assertArrayEquals(key, Arrays.copyOf(cursor.key(), cursor.keyLength()));
          cursor.value(value);
          assertEquals(number, number(value));
        });
    assertFalse(cursor.next());
  }

  private static void put(ArenaTop top, byte[] key, int number) {
    byte[] value = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    top.put(key, key.length, EntryKind.PUT, MemorySegment.ofArray(value), 0, value.length);
  }

  private static int number(EntryValue value) {
    return value.isTombstone() ? -1 : ByteBuffer.wrap(value.copy()).getInt();
  }

  private static byte[] key(char group, int number) {
    return ByteBuffer.allocate(5).put((byte) group).putInt(number).array();
  }

  @Test
  void twoThreadsThatOrderAtOnceGetTheSame() throws Exception {
    ArenaTop top = new ArenaTop(true);
    Random random = new Random(seed);
    for (int i = 0; i < 3000; i++) {
      put(top, key('k', random.nextInt(2000)), i);
      top.publish();
    }
    int mark = top.mark();
    try (ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
      List<Future<int[]>> orders = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        orders.add(
            threads.submit(() -> top.orderTo(mark).inOneRun(top.array(), mark, 9).records()));
      }
      int[] first = orders.getFirst().get();
      assertEquals(3000, first.length);
      for (Future<int[]> order : orders) {
        assertArrayEquals(first, order.get());
      }
    }
  }
}
