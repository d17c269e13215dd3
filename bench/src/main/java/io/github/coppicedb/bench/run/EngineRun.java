package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.Engine;
import io.github.coppicedb.bench.engine.MultikeyQuicksort;
import io.github.coppicedb.bench.engine.Safety;
import io.github.coppicedb.bench.keys.KeyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One run of one engine, in a process of its own: all phases in their order. The C program for LMDB
 * does the same. One thread.
 */
public final class EngineRun {
  private static final long MULTIPLIER = 6364136223846793005L;
  private static final long INCREMENT = 1442695040888963407L;

  private final Supplier<Engine> maker;
  private final Workload workload;
  private final byte[][] keys;
  private final byte[][] misses;
  private final byte[][] hits;
  private final Measures measures = new Measures();

  /**
   * Reads the keys.
   *
   * @param count of keys to put
   * @param probes of each kind
   */
  public EngineRun(
      Supplier<Engine> maker, Workload workload, Path keys, Path misses, int count, int probes)
      throws IOException {
    this(maker, workload, KeyFile.read(keys, count), KeyFile.read(misses, probes));
  }

  private EngineRun(Supplier<Engine> maker, Workload workload, byte[][] keys, byte[][] misses) {
    this.maker = maker;
    this.workload = workload;
    this.keys = keys;
    this.misses = misses;
    this.hits = pick(keys, misses.length);
    if (workload == Workload.ASCENDING || workload == Workload.DESCENDING) {
      MultikeyQuicksort.sort(keys);
    }
    if (workload == Workload.DESCENDING) {
      reverse(keys);
    }
  }

  /** Random keys of those given, copied, so that they stand side by side as the misses do. */
  private static byte[][] pick(byte[][] from, int count) {
    byte[][] picked = new byte[count][];
    long state = 1;
    for (int i = 0; i < count; i++) {
      state = next(state);
      picked[i] = from[below(state, from.length)].clone();
    }
    return picked;
  }

  private static long next(long state) {
    return state * MULTIPLIER + INCREMENT;
  }

  private static int below(long state, int bound) {
    return (int) ((state >>> 33) % bound);
  }

  private static void reverse(byte[][] keys) {
    for (int low = 0, high = keys.length - 1; low < high; low++, high--) {
      byte[] key = keys[low];
      keys[low] = keys[high];
      keys[high] = key;
    }
  }

  /**
   * Does a whole run on fewer keys first, so that the code is compiled when the measured run comes.
   */
  public void warmUp(int count, Path directory) throws Exception {
    byte[][] few = new byte[Math.min(count, keys.length)][];
    for (int i = 0; i < few.length; i++) {
      few[i] = keys[i].clone();
    }
    byte[][] fewMisses = Arrays.copyOf(misses, Math.min(count, misses.length));
    Files.createDirectories(directory);
    new EngineRun(maker, workload, few, fewMisses).measure(directory);
  }

  /** Runs all phases in an empty folder. */
  public Map<String, Double> measure(Path directory) throws Exception {
    Engine engine = maker.get();
    PauseWatch pauses = PauseWatch.start();
    System.gc();
    long heap = ProcessFacts.heapUsed();
    measures.putBytes(Metric.HEAP_BASE, heap);
    engine.open(directory, workload == Workload.SINGLE ? Safety.RELAXED : Safety.FORCED);
    if (workload == Workload.AGAIN) {
      putBefore(engine);
    }
    ProcessFacts.resetHeapPeak();
    pauses.reset();
    write(engine);
    measures.putBytes(Metric.HEAP_PEAK, Math.max(0, ProcessFacts.heapPeak() - heap));
    measures.put(Metric.GC_MAX, pauses.longestSeconds());
    if (engine.isPersistent()) {
      measures.phase("close", engine::close);
      measures.putBytes(Metric.DISK, engine.diskBytes(directory));
      measures.phase("reopen", () -> engine.open(directory, Safety.FORCED));
    }
    read(engine);
    engine.close();
    ProcessFacts.peakRss().ifPresent(bytes -> measures.putBytes(Metric.PEAK_RSS, bytes));
    return measures.values();
  }

  private void putBefore(Engine engine) throws Exception {
    engine.begin();
    for (byte[] key : keys) {
      engine.put(key);
    }
    engine.endPuts();
    engine.commit();
    engine.drain();
    reverse(keys);
  }

  private void write(Engine engine) throws Exception {
    if (workload != Workload.SINGLE) {
      engine.begin();
    }
    measures.phase("put", () -> put(engine));
    measures.phase("commit", workload == Workload.SINGLE ? () -> {} : engine::commit);
    measures.phase("drain", engine::drain);
  }

  private void put(Engine engine) throws Exception {
    switch (workload) {
      case PUTGET -> putAndGet(engine);
      case SINGLE -> putEachAlone(engine);
      default -> {
        for (byte[] key : keys) {
          engine.put(key);
        }
      }
    }
    engine.endPuts();
    if (workload == Workload.PUTSCAN) {
      expect("scan", keys.length, engine.scan());
    }
  }

  private void putAndGet(Engine engine) throws Exception {
    long state = 1;
    int found = 0;
    for (int i = 0; i < keys.length; i++) {
      engine.put(keys[i]);
      state = next(state);
      found += engine.contains(keys[below(state, i + 1)]) ? 1 : 0;
    }
    expect("gets", keys.length, found);
  }

  private void putEachAlone(Engine engine) throws Exception {
    for (byte[] key : keys) {
      engine.begin();
      engine.put(key);
      engine.commit();
    }
  }

  private void read(Engine engine) throws Exception {
    measures.phase("scan", () -> expect("scan", keys.length, engine.scan()));
    measures.phase("hits", () -> expect("hits", hits.length, found(engine, hits)));
    measures.phase("misses", () -> expect("misses", 0, found(engine, misses)));
  }

  private static int found(Engine engine, byte[][] sought) throws Exception {
    int found = 0;
    for (byte[] key : sought) {
      found += engine.contains(key) ? 1 : 0;
    }
    return found;
  }

  private static void expect(String what, long expected, long seen) {
    if (expected != seen) {
      throw new IllegalStateException("%s: %d keys, expected %d".formatted(what, seen, expected));
    }
  }
}
