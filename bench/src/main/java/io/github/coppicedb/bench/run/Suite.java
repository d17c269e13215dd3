package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.engine.Engines;
import io.github.coppicedb.bench.keys.KeySource;
import io.github.coppicedb.bench.keys.PreparedKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    Set<EngineSpec> engines = ready();
    List<PreparedKeys> sets = prepare();
    for (int round = 1; round <= plan.rounds(); round++) {
      for (PreparedKeys set : sets) {
        for (Plan.Part part : plan.parts()) {
          runPart(part, engines, set, round);
        }
      }
    }
    return new Outcome(
        List.copyOf(results),
        List.copyOf(failures),
        Collections.unmodifiableMap(missing),
        children.versions());
  }

  private Set<EngineSpec> ready() throws IOException {
    Set<EngineSpec> ready = new LinkedHashSet<>();
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

  /** Makes all sets at once, as nothing is measured yet. */
  private List<PreparedKeys> prepare() throws IOException {
    progress.accept("making the keys");
    List<Callable<PreparedKeys>> tasks = new ArrayList<>();
    plan.sources().forEach(source -> tasks.add(() -> prepare(source)));
    int threads = Runtime.getRuntime().availableProcessors();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<PreparedKeys> sets = new ArrayList<>();
      for (Future<PreparedKeys> task : workers.invokeAll(tasks)) {
        sets.add(task.get());
      }
      return sets;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause() == null ? e : e.getCause());
    }
  }

  private PreparedKeys prepare(KeySource source) throws IOException {
    PreparedKeys.Wanted wanted =
        new PreparedKeys.Wanted(
            plan.mostCount(), plan.probes(), Math.min(plan.mostCount(), plan.warmUp()));
    PreparedKeys keys = PreparedKeys.prepare(source, wanted, plan.seed(), plan.work());
    if (keys.count() < plan.leastCount()) {
      throw new IOException(
          "%s has %,d different keys, fewer than any count asked for"
              .formatted(source.name(), keys.count()));
    }
    return keys;
  }

  private void runPart(Plan.Part part, Set<EngineSpec> ready, PreparedKeys set, int round)
      throws IOException {
    List<EngineSpec> engines = part.engines();
    for (int count : part.counts()) {
      for (Workload workload : part.workloads()) {
        for (int i = 0; i < engines.size(); i++) {
          EngineSpec engine = engines.get((i + round - 1) % engines.size());
          boolean isDue = round <= plan.peerRounds() || !Engines.isPeer(engine);
          if (isDue && ready.contains(engine) && workload.suits(engine) && count <= set.count()) {
            runOne(
                engine,
                set,
                workload,
                new RunKey(engine.name(), set.name(), count, workload.workloadName(), round));
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
