package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.keys.KeySource;
import io.github.coppicedb.bench.keys.PreparedKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs a plan: round after round, in each all engines by turns, so that a slow hour of the machine
 * meets them all; each round begins with another engine. One thread.
 */
public final class Suite {
  private final Plan plan;
  private final Consumer<String> progress;
  private final Children children;
  private final List<RunResult> results = new ArrayList<>();
  private final List<RunFailure> failures = new ArrayList<>();
  private final Map<String, String> missing = new LinkedHashMap<>();

  /** Makes the suite; what it does is told line by line. */
  public Suite(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
    this.children = new Children(plan.work(), plan.limit(), plan.heap());
  }

  /** Runs everything. */
  public Outcome run() throws IOException {
    Files.createDirectories(plan.work());
    List<EngineSpec> engines = ready();
    List<PreparedKeys> sets = new ArrayList<>();
    for (KeySource source : plan.sources()) {
      sets.add(prepare(source));
    }
    for (int round = 1; round <= plan.rounds(); round++) {
      for (PreparedKeys set : sets) {
        runRound(engines, set, round);
      }
    }
    return new Outcome(
        List.copyOf(results),
        List.copyOf(failures),
        Collections.unmodifiableMap(missing),
        children.versions());
  }

  private List<EngineSpec> ready() throws IOException {
    List<EngineSpec> ready = new ArrayList<>();
    for (EngineSpec engine : plan.engines()) {
      try {
        children.prepare(engine);
        ready.add(engine);
      } catch (MissingEngineException e) {
        missing.put(engine.name(), e.getMessage());
        progress.accept("missing: " + engine.name() + ": " + e.getMessage());
      }
    }
    return ready;
  }

  private PreparedKeys prepare(KeySource source) throws IOException {
    int most = Collections.max(plan.counts());
    PreparedKeys keys = PreparedKeys.prepare(source, most, plan.probes(), plan.seed(), plan.work());
    if (keys.count() < Collections.min(plan.counts())) {
      throw new IOException(
          "%s has %,d different keys, fewer than any count asked for"
              .formatted(source.name(), keys.count()));
    }
    return keys;
  }

  private void runRound(List<EngineSpec> engines, PreparedKeys set, int round) throws IOException {
    for (int count : plan.counts()) {
      for (Workload workload : plan.workloads()) {
        for (int i = 0; i < engines.size(); i++) {
          EngineSpec engine = engines.get((i + round - 1) % engines.size());
          RunKey key = new RunKey(engine.name(), set.name(), count, workload.workloadName(), round);
          if (count <= set.count()) {
            runOne(engine, set, workload, key);
          }
        }
      }
    }
  }

  private void runOne(EngineSpec engine, PreparedKeys set, Workload workload, RunKey key)
      throws IOException {
    Path folder = Files.createTempDirectory(plan.work(), engine.name());
    Path directory = Files.createDirectory(folder.resolve("data"));
    try {
      EngineTask task =
          new EngineTask(set, key.count(), plan.probes(), workload, directory, plan.warmUp());
      RunResult result = new RunResult(key, children.run(engine, task));
      results.add(result);
      progress.accept(
          "%s %s %d %s, round %d: put %.3f s"
              .formatted(
                  key.set(),
                  key.workload(),
                  key.count(),
                  key.engine(),
                  key.round(),
                  result.values().getOrDefault(Metric.wall("put"), Double.NaN)));
    } catch (IOException e) {
      failures.add(new RunFailure(key, String.valueOf(e.getMessage())));
      progress.accept("failed: " + key + ": " + e.getMessage());
    } finally {
      Folders.delete(folder);
    }
  }
}
