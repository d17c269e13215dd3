package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.Engine;
import io.github.coppicedb.bench.engine.Safety;
import io.github.coppicedb.bench.keys.KeyBlock;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One run of one engine: all phases in their order. The C program for LMDB does the same. One
 * thread.
 */
final class EngineRun {
  private final Engine engine;
  private final RunInput input;
  private final boolean isStrict;
  private final Measures measures = new Measures();

  /**
   * Makes the run.
   *
   * @param isStrict whether the misses must be absent; in a run of other keys some may be there
   */
  EngineRun(Supplier<Engine> maker, RunInput input, boolean isStrict) {
    this.engine = maker.get();
    this.input = input;
    this.isStrict = isStrict;
  }

  /** Runs all phases in an empty folder. */
  Map<String, Double> measure(Path directory) throws Exception {
    CollectorWatch collector = CollectorWatch.start();
    Quiet.await();
    long heap = ProcessFacts.heapUsed();
    measures.putBytes(Metric.HEAP_BASE, heap);
    engine.open(directory, input.workload().isForced() ? Safety.FORCED : Safety.RELAXED);
    write(collector);
    if (engine.isPersistent()) {
      measures.phase("close", engine::close);
    }
    measures.putBytes(Metric.HEAP_PEAK, Math.max(0, ProcessFacts.heapPeak() - heap));
    if (collector.mostLiveBytes() > 0) {
      measures.putBytes(Metric.HEAP_LIVE, Math.max(0, collector.mostLiveBytes() - heap));
    }
    measures.put(Metric.GC_MAX, collector.longestSeconds());
    if (engine.isPersistent()) {
      measures.putBytes(Metric.DISK, engine.diskBytes(directory));
    }
    if (input.isRead()) {
      read(directory);
    }
    ProcessFacts.peakRss().ifPresent(bytes -> measures.putBytes(Metric.PEAK_RSS, bytes));
    return measures.values();
  }

  private void write(CollectorWatch collector) throws Exception {
    switch (input.workload()) {
      case GETLOAD -> {
        GetLoad load = new GetLoad(engine, input.keys(), measures);
        load.before();
        collector.reset();
        measures.phase("put", load::load);
        measures.phase("drain", engine::drain);
        load.after();
      }
      case AGAIN -> {
        Puts puts = new Puts(engine, input);
        puts.before();
        Quiet.await();
        put(puts, collector);
      }
      default -> put(new Puts(engine, input), collector);
    }
  }

  private void put(Puts puts, CollectorWatch collector) throws Exception {
    collector.reset();
    long compiled = Quiet.compileMillis();
    boolean isOneTransaction = input.workload() != Workload.SINGLE;
    if (isOneTransaction) {
      engine.begin();
    }
    measures.phase("put", puts::run);
    measures.phase("commit", isOneTransaction ? engine::commit : () -> {});
    measures.phase("drain", engine::drain);
    measures.put(Metric.COMPILE, (Quiet.compileMillis() - compiled) / 1e3);
    measures.put(Metric.PUT_STALL, puts.longestStall());
  }

  private void read(Path directory) throws Exception {
    if (engine.isPersistent()) {
      measures.phase("reopen", () -> engine.open(directory, Safety.FORCED));
    }
    measures.phase("scan", () -> expect("scan", input.count(), engine.scan()));
    if (!input.misses().isEmpty()) {
      measures.phase("hits", () -> expect("hits", input.hits().size(), found(input.hits())));
      measures.phase("misses", this::missAll);
    }
    engine.close();
  }

  private void missAll() throws Exception {
    long found = found(input.misses());
    expect("misses", 0, isStrict ? found : 0);
  }

  private long found(KeyBlock sought) throws Exception {
    long found = 0;
    for (int i = 0; i < sought.size(); i++) {
      found += engine.contains(sought.get(i)) ? 1 : 0;
    }
    return found;
  }

  static void expect(String what, long expected, long seen) {
    if (expected != seen) {
      throw new IllegalStateException("%s: %d keys, expected %d".formatted(what, seen, expected));
    }
  }
}
