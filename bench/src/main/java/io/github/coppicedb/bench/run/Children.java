package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.engine.EngineSpec.InC;
import io.github.coppicedb.bench.engine.EngineSpec.InJava;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs engines in processes of their own. One thread. */
final class Children {
  /** The first argument of a child's command line. */
  static final String CHILD = "engine";

  private final Path work;
  private final Duration limit;
  private final @Nullable String heap;
  private final Map<String, String> versions = new HashMap<>();
  private @Nullable LmdbProgram lmdb;

  /**
   * Makes the runner.
   *
   * @param work a folder for what is compiled
   * @param heap the -Xmx of children in Java, or null for the JVM's own
   */
  Children(Path work, Duration limit, @Nullable String heap) {
    this.work = work;
    this.limit = limit;
    this.heap = heap;
  }

  /** Makes an engine ready to run. */
  void prepare(EngineSpec engine) throws IOException, MissingEngineException {
    if (engine instanceof InC && lmdb == null) {
      lmdb = LmdbProgram.compile(work);
    }
  }

  Map<String, Double> run(EngineSpec engine, EngineTask task) throws IOException {
    List<String> command =
        switch (engine) {
          case InJava java -> javaCommand(java, task);
          case InC c -> Objects.requireNonNull(lmdb).command(c, task);
        };
    ChildProcess.Ended ended = ChildProcess.run(command, limit);
    if (ended.status() != 0) {
      throw new IOException(ended.lastError());
    }
    return parse(engine.name(), ended.out());
  }

  private Map<String, Double> parse(String engine, List<String> lines) throws IOException {
    Map<String, Double> values = new HashMap<>();
    for (String line : lines) {
      int space = line.indexOf(' ');
      String name = space < 0 ? line : line.substring(0, space);
      String value = line.substring(space + 1);
      if (name.equals("version")) {
        versions.put(engine, value);
      } else if (Metric.all().contains(name)) {
        values.put(name, number(value));
      } else {
        throw new IOException("the child said: " + line);
      }
    }
    return values;
  }

  private static double number(String text) throws IOException {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IOException("the child said '" + text + "' for a number", e);
    }
  }

  private List<String> javaCommand(InJava engine, EngineTask task) {
    String most = task.workload() == Workload.HEAP ? Workload.SMALL_HEAP : heap;
    List<String> arguments = new ArrayList<>(List.of(CHILD, engine.name()));
    arguments.addAll(task.arguments());
    return ChildProcess.javaCommand(most, engine.options(), arguments);
  }

  /** Returns the versions that children told, by engine. */
  Map<String, String> versions() {
    return Map.copyOf(versions);
  }
}
