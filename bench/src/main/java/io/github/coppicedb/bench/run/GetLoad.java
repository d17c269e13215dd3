package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.Engine;
import io.github.coppicedb.bench.keys.KeyBlock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Random gets while the load runs: half of the keys are there and drained; one thread looks up
 * random ones of them, while another puts the other half in transactions of {@link #BATCH} puts
 * that are not forced. The same thread's rate is measured without load too, before and after. The C
 * program for LMDB does the same. One thread calls it.
 */
final class GetLoad {
  private static final int BATCH = 1 << 16;
  private static final int GETS = 1024;
  private static final int PICKED = 1 << 20;
  private static final long REST_NANOS = 1_500_000_000;

  private final Engine engine;
  private final Measures measures;
  private final KeyBlock keys;
  private final KeyBlock sought;
  private final long restNanos;

  GetLoad(Engine engine, KeyBlock keys, Measures measures) {
    this.engine = engine;
    this.measures = measures;
    this.keys = keys;
    this.sought = Picks.of(keys, half(), Math.min(PICKED, half()));
    // Small runs, those of tests, need no long ones.
    this.restNanos = Math.min(REST_NANOS, keys.size() * 1_000L);
  }

  private int half() {
    return (keys.size() + 1) / 2;
  }

  /** What is there before the load, and how fast gets are then. */
  void before() throws Exception {
    put(0, half());
    engine.drain();
    measures.put(Metric.GETS_BEFORE, rest());
  }

  /** Puts the other half beside the gets. */
  void load() throws Exception {
    AtomicBoolean isDone = new AtomicBoolean();
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Double> rate = thread.submit(() -> gets(isDone, Long.MAX_VALUE));
      try {
        put(half(), keys.size());
      } finally {
        isDone.set(true);
      }
      measures.put(Metric.GETS_IN_LOAD, rate.get());
    }
  }

  /** How fast gets are when all is drained. */
  void after() throws Exception {
    measures.put(Metric.GETS_AFTER, rest());
  }

  private double rest() throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      return thread.submit(() -> gets(new AtomicBoolean(), restNanos)).get();
    }
  }

  private void put(int from, int to) throws Exception {
    for (int start = from; start < to; start += BATCH) {
      engine.begin();
      for (int i = start; i < Math.min(start + BATCH, to); i++) {
        engine.put(keys.get(i));
      }
      engine.endPuts();
      engine.commit();
    }
  }

  /** Gets until it is told to end or so much time has gone; returns how many a second. */
  private double gets(AtomicBoolean isDone, long nanos) throws Exception {
    long begin = System.nanoTime();
    long done = 0;
    long now;
    int next = 0;
    try (Engine.Lookups lookups = engine.lookups()) {
      do {
        lookups.renew();
        for (int i = 0; i < GETS; i++) {
          EngineRun.expect("get", 1, lookups.contains(sought.get(next)) ? 1 : 0);
          next = next + 1 == sought.size() ? 0 : next + 1;
        }
        done += GETS;
        now = System.nanoTime();
      } while (!isDone.get() && now - begin < nanos);
    }
    return done * 1e9 / Math.max(1, now - begin);
  }
}
