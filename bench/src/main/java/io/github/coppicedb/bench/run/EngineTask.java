package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.EngineSpec.InJava;
import io.github.coppicedb.bench.keys.PreparedKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a child is to do.
 *
 * @param directory an empty folder for the database
 * @param warmUp keys of runs before, which are not measured; 0 = none
 */
record EngineTask(
    PreparedKeys keys, int count, int probes, Workload workload, Path directory, int warmUp) {
  /** How many arguments a task has. */
  static final int ARGUMENTS = 9;

  private static final int MOST_WARM_PROBES = 1 << 18;

  List<String> arguments() {
    return List.of(
        workload.workloadName(),
        keys.name(),
        keys.keys().toString(),
        keys.misses().toString(),
        keys.others().toString(),
        String.valueOf(count),
        String.valueOf(probes),
        directory.toString(),
        String.valueOf(warmUp));
  }

  static EngineTask of(List<String> arguments) {
    int count = Integer.parseInt(arguments.get(5));
    PreparedKeys keys =
        new PreparedKeys(
            arguments.get(1),
            Path.of(arguments.get(2)),
            Path.of(arguments.get(3)),
            Path.of(arguments.get(4)),
            count);
    return new EngineTask(
        keys,
        count,
        Integer.parseInt(arguments.get(6)),
        Workload.named(arguments.getFirst()),
        Path.of(arguments.get(7)),
        Integer.parseInt(arguments.get(8)));
  }

  /** Warms up and measures; in the child. */
  Map<String, Double> run(InJava engine) throws Exception {
    Measures cold = new Measures();
    if (warmUp > 0) {
      RunInput others = others();
      cold.cold(
          others.count(),
          new WarmUp(engine.maker(), others, Objects.requireNonNull(directory.getParent())).run());
    }
    RunInput input = RunInput.read(workload, keys.keys(), keys.misses(), count, probes);
    Map<String, Double> values = new EngineRun(engine.maker(), input, true).measure(directory);
    if (warmUp == 0) {
      cold.cold(input.count(), values);
    }
    cold.putAll(values);
    return cold.values();
  }

  private RunInput others() throws IOException {
    int least = Math.min(probes, MOST_WARM_PROBES);
    return RunInput.read(workload, keys.others(), keys.misses(), Math.min(count, warmUp), least);
  }
}
