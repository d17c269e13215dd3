package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.EngineSpec.InJava;
import io.github.coppicedb.bench.engine.Engines;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The child's side: one run, told in lines of a name and a number. */
public final class EngineMain {
  private static final int BEFORE_TASK = 2;

  private EngineMain() {}

  /** Returns whether the arguments are those of a child. */
  public static boolean isChild(String[] args) {
    return args.length == BEFORE_TASK + EngineTask.ARGUMENTS && args[0].equals(Children.CHILD);
  }

  /** Runs what the arguments of {@link Children} say. */
  public static void run(String[] args, PrintStream out) throws Exception {
    if (!(Engines.named(args[1]) instanceof InJava engine)) {
      throw new IllegalArgumentException(args[1] + " does not run in a JVM");
    }
    List<String> task = Arrays.asList(args).subList(BEFORE_TASK, args.length);
    Map<String, Double> values = EngineTask.of(task).run(engine);
    for (String name : Metric.all()) {
      Double value = values.get(name);
      if (value != null) {
        out.println(name + " " + String.format(Locale.ROOT, "%.9f", value));
      }
    }
    version(engine).ifPresent(version -> out.println("version " + version));
  }

  /** The version stands in the jar that the engine's classes are from, as Maven wrote it. */
  private static Optional<String> version(InJava engine) throws IOException {
    if (engine.artifact().isEmpty()) {
      return Optional.empty();
    }
    return Versions.of(engine.artifact());
  }
}
