package io.github.coppicedb.bench.inserts;

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
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs a plan by all engines, each in a process of its own; in each round the engines by turns, and
 * each round begins with another one. One thread.
 */
public record InsertsSuite(String name, InsertsPlan plan, List<String> engines, int rounds) {
  private static final Duration LIMIT = Duration.ofHours(6);

  /** Checks the names, so that nothing is run when one is wrong. */
  public InsertsSuite {
    engines.forEach(RowEngine::named);
    if (rounds < 1) {
      throw new IllegalArgumentException("--rounds is %d, it must be at least 1".formatted(rounds));
    }
  }

  /**
   * Runs everything; what it does is told line by line.
   *
   * @param work a folder for the databases
   * @throws IOException if a run fails
   */
  public InsertsReport run(Path work, Consumer<String> progress) throws IOException {
    List<Rows.Row> rows = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      for (int i = 0; i < engines.size(); i++) {
        RowEngine engine = RowEngine.named(engines.get((i + round - 1) % engines.size()));
        Map<String, Double> values = runOne(engine, work);
        rows.add(new Rows.Row(name, engine.engineName(), round, values));
        progress.accept(
            String.format(
                Locale.ROOT,
                "%s %s, round %d: fill %.2f s, random %.2f s",
                name,
                engine.engineName(),
                round,
                values.getOrDefault("fill_s", Double.NaN),
                values.getOrDefault("random_s", Double.NaN)));
      }
    }
    return new InsertsReport(this, new Rows(rows));
  }

  private Map<String, Double> runOne(RowEngine engine, Path work) throws IOException {
    Path folder = Files.createTempDirectory(work, engine.engineName());
    try {
      List<String> arguments = new ArrayList<>(List.of(InsertsTask.CHILD));
      arguments.addAll(new InsertsTask(engine, plan, folder).arguments());
      ChildProcess.Ended ended =
          ChildProcess.run(ChildProcess.javaCommand(null, engine.options(), arguments), LIMIT);
      if (ended.status() != 0) {
        throw new IOException(name + " by " + engine.engineName() + ": " + ended.lastError());
      }
      return NamedValues.parse(ended.out());
    } finally {
      Folders.delete(folder);
    }
  }
}
