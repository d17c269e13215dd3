package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.Engine;
import io.github.coppicedb.bench.keys.KeyFile;
import java.util.List;

/** The put phase of each workload but {@link Workload#GETLOAD}. One thread. */
final class Puts {
  private final Engine engine;
  private final RunInput input;
  private final Stalls stalls = new Stalls();
  private List<byte[]> keys;

  Puts(Engine engine, RunInput input) {
    this.engine = engine;
    this.input = input;
    this.keys = input.keys();
  }

  /** Puts all keys before the measured puts, forces them, and turns the order. */
  void before() throws Exception {
    engine.begin();
    for (byte[] key : keys) {
      engine.put(key);
    }
    engine.endPuts();
    engine.commit();
    engine.drain();
    keys = keys.reversed();
  }

  /** Puts all keys. */
  void run() throws Exception {
    stalls.begin();
    switch (input.workload()) {
      case PUTGET -> putAndGet();
      case SINGLE -> putEachAlone();
      case HEAP -> putFromFile();
      default -> putAll();
    }
    stalls.mark();
    engine.endPuts();
    if (input.workload() == Workload.PUTSCAN) {
      EngineRun.expect("scan", input.count(), engine.scan());
    }
  }

  private void putAll() throws Exception {
    for (int i = 0; i < keys.size(); i++) {
      stalls.at(i);
      engine.put(keys.get(i));
    }
  }

  private void putAndGet() throws Exception {
    Picks picks = new Picks();
    int found = 0;
    for (int i = 0; i < keys.size(); i++) {
      stalls.at(i);
      engine.put(keys.get(i));
      found += engine.contains(keys.get(picks.below(i + 1))) ? 1 : 0;
    }
    EngineRun.expect("gets", keys.size(), found);
  }

  private void putEachAlone() throws Exception {
    for (int i = 0; i < keys.size(); i++) {
      stalls.at(i);
      engine.begin();
      engine.put(keys.get(i));
      engine.commit();
    }
  }

  private void putFromFile() throws Exception {
    int[] put = {0};
    KeyFile.stream(
        input.file(),
        input.count(),
        key -> {
          stalls.at(put[0]++);
          engine.put(key);
        });
  }

  double longestStall() {
    return stalls.longestSeconds();
  }
}
