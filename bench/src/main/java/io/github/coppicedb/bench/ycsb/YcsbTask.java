package io.github.coppicedb.bench.ycsb;

import io.github.coppicedb.bench.run.Folders;
import io.github.coppicedb.bench.run.ProcessFacts;
import io.github.coppicedb.bench.run.Quiet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * One run of one workload by one engine: a load of all records, then the operations, by some
 * threads. Before it is measured, the same is done with fewer records in another folder.
 *
 * @param directory an empty folder
 * @param forced whether each change is forced to the device before it returns
 */
record YcsbTask(
    YcsbEngine engine,
    YcsbWorkload workload,
    int records,
    int operations,
    int threads,
    boolean forced,
    Path directory) {
  /** How many arguments a task has. */
  static final int ARGUMENTS = 7;

  private static final int MOST_WARM = 200_000;
  private static final double NANO = 1e-9;

  List<String> arguments() {
    return List.of(
        engine.engineName(),
        workload.letter(),
        String.valueOf(records),
        String.valueOf(operations),
        String.valueOf(threads),
        String.valueOf(forced),
        directory.toString());
  }

  static YcsbTask of(List<String> arguments) {
    return new YcsbTask(
        YcsbEngine.named(arguments.get(0)),
        YcsbWorkload.of(arguments.get(1)),
        Integer.parseInt(arguments.get(2)),
        Integer.parseInt(arguments.get(3)),
        Integer.parseInt(arguments.get(4)),
        Boolean.parseBoolean(arguments.get(5)),
        Path.of(arguments.get(6)));
  }

  /** Warms up and measures; in the child. Returns the values by column. */
  Map<String, Double> run() throws Exception {
    if (!forced) {
      once(
          Math.min(MOST_WARM, records), Math.min(MOST_WARM, operations), directory.resolve("warm"));
    }
    Quiet.await();
    return once(records, operations, directory.resolve("measured"));
  }

  private Map<String, Double> once(int someRecords, int someOperations, Path folder)
      throws Exception {
    Files.createDirectories(folder);
    try (RecordStore store = engine.open(folder, forced)) {
      return measure(store, someRecords, someOperations);
    } finally {
      Folders.delete(folder);
    }
  }

  /** Loads an empty store and runs the operations. */
  Map<String, Double> measure(RecordStore store, int someRecords, int someOperations)
      throws Exception {
    // What YCSB measures itself nobody reads.
    Measurements.setProperties(new Properties());
    Map<String, Double> values = new LinkedHashMap<>();
    CoreWorkload core = new CoreWorkload();
    core.init(workload.properties(someRecords, someOperations));
    phase("load", someRecords, store, binding -> core.doInsert(binding, this), values);
    phase("run", someOperations, store, binding -> core.doTransaction(binding, this), values);
    core.cleanup();
    return values;
  }

  private interface Step {
    boolean run(StoreBinding binding);
  }

  private void phase(
      String name, int steps, RecordStore store, Step step, Map<String, Double> values)
      throws Exception {
    OperationTimes all = new OperationTimes();
    long cpu = ProcessFacts.cpuNanos();
    long begin = System.nanoTime();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Callable<OperationTimes>> parts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int share = steps / threads + (i < steps % threads ? 1 : 0);
        parts.add(() -> part(share, store, step));
      }
      for (Future<OperationTimes> part : workers.invokeAll(parts)) {
        all.add(part.get());
      }
    }
    double seconds = (System.nanoTime() - begin) * NANO;
    values.put(name + "_s", seconds);
    values.put(name + "_cpu_s", (ProcessFacts.cpuNanos() - cpu) * NANO);
    values.put(name + "_per_s", steps / seconds);
    if (name.equals("run")) {
      values.putAll(all.values());
    }
  }

  private static OperationTimes part(int steps, RecordStore store, Step step) {
    OperationTimes times = new OperationTimes();
    StoreBinding binding = new StoreBinding(store, times);
    for (int i = 0; i < steps; i++) {
      if (!step.run(binding)) {
        throw new IllegalStateException("YCSB says that step %d failed".formatted(i));
      }
    }
    return times;
  }
}
