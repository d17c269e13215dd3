package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.EngineSpec.InJava;
import io.github.coppicedb.bench.engine.Engines;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The child's side: one run, told in lines of a name and a number. */
public final class EngineMain {
  private static final int ARGUMENTS = 9;

  private EngineMain() {}

  /** Returns whether the arguments are those of a child. */
  public static boolean isChild(String[] args) {
    return args.length == ARGUMENTS && args[0].equals(Children.CHILD);
  }

  /** Runs what the arguments of {@link Children} say. */
  public static void run(String[] args, PrintStream out) throws Exception {
    if (!(Engines.named(args[1]) instanceof InJava engine)) {
      throw new IllegalArgumentException(args[1] + " does not run in a JVM");
    }
    Path directory = Path.of(args[7]);
    EngineRun run =
        new EngineRun(
            engine.maker(),
            Workload.named(args[2]),
            Path.of(args[3]),
            Path.of(args[4]),
            Integer.parseInt(args[5]),
            Integer.parseInt(args[6]));
    int warmUp = Integer.parseInt(args[8]);
    if (warmUp > 0) {
      run.warmUp(warmUp, Files.createTempDirectory(directory.getParent(), "warm-up"));
    }
    Map<String, Double> values = run.measure(directory);
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
