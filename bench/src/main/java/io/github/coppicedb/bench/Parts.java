package io.github.coppicedb.bench;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.engine.Engines;
import io.github.coppicedb.bench.run.Plan.Part;
import io.github.coppicedb.bench.run.Workload;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** What is run so that each line of the table of targets gets its numbers. */
final class Parts {
  private static final List<Workload> BESIDE_LMDB =
      List.of(Workload.PUTSCAN, Workload.PUTGET, Workload.SINGLE, Workload.GETLOAD);
  private static final List<Workload> ALONE =
      List.of(Workload.ASCENDING, Workload.DESCENDING, Workload.AGAIN, Workload.HEAP);

  private Parts() {}

  /** The load by all and with all counts; the rest by those compared, with the largest count. */
  static List<Part> forTargets(List<EngineSpec> engines, List<Integer> counts) {
    List<Integer> largest = List.of(Collections.max(counts));
    return List.of(
        new Part(engines, List.of(Workload.LOAD), counts),
        new Part(
            only(engines, name -> isOurs(name) || Engines.LMDB.contains(name)),
            BESIDE_LMDB,
            largest),
        new Part(only(engines, Parts::isOurs), ALONE, largest));
  }

  private static boolean isOurs(String name) {
    return name.equals(Engines.COPPICE);
  }

  private static List<EngineSpec> only(List<EngineSpec> engines, Predicate<String> names) {
    return engines.stream().filter(engine -> names.test(engine.name())).toList();
  }
}
