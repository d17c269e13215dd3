package io.github.coppicedb.bench.ycsb;

import io.github.coppicedb.bench.report.Rows;
import io.github.coppicedb.bench.run.ChildProcess;
import io.github.coppicedb.bench.run.Folders;
import io.github.coppicedb.bench.run.NamedValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs all workloads by all engines, each in a process of its own; in each round the engines by
 * turns, and each round begins with another one. One thread.
 */
public record YcsbSuite(
    List<String> workloads,
    List<String> engines,
    int records,
    int operations,
    int threads,
    int rounds,
    boolean forced) {
  private static final Duration LIMIT = Duration.ofHours(1);

  /** Checks the names, so that nothing is run when one is wrong. */
  public YcsbSuite {
    workloads.forEach(YcsbWorkload::of);
    engines.forEach(YcsbEngine::named);
  }

  /**
   * Runs everything; what it does is told line by line.
   *
   * @param work a folder for the databases
   * @throws IOException if a run fails
   */
  public YcsbReport run(Path work, Consumer<String> progress) throws IOException {
    List<Rows.Row> rows = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      for (String letter : workloads) {
        for (int i = 0; i < engines.size(); i++) {
          YcsbEngine engine = YcsbEngine.named(engines.get((i + round - 1) % engines.size()));
          Map<String, Double> values = runOne(engine, YcsbWorkload.of(letter), work);
          rows.add(new Rows.Row(letter, engine.engineName(), round, values));
          progress.accept(
              "%s %s, round %d: %,.0f operations a second"
                  .formatted(
                      letter,
                      engine.engineName(),
                      round,
                      values.getOrDefault("run_per_s", Double.NaN)));
        }
      }
    }
    return new YcsbReport(this, new Rows(rows));
  }

  private Map<String, Double> runOne(YcsbEngine engine, YcsbWorkload workload, Path work)
      throws IOException {
    Path folder = Files.createTempDirectory(work, engine.engineName());
    try {
      YcsbTask task = new YcsbTask(engine, workload, records, operations, threads, forced, folder);
      List<String> arguments = new ArrayList<>(List.of(YcsbMain.CHILD));
      arguments.addAll(task.arguments());
      ChildProcess.Ended ended =
          ChildProcess.run(ChildProcess.javaCommand(null, engine.options(), arguments), LIMIT);
      if (ended.status() != 0) {
        throw new IOException(
            "workload %s by %s: %s"
                .formatted(workload.letter(), engine.engineName(), ended.lastError()));
      }
      return NamedValues.parse(ended.out());
    } finally {
      Folders.delete(folder);
    }
  }
}
