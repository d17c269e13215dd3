package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.engine.Engines;
import io.github.coppicedb.bench.report.Medians.Cell;
import io.github.coppicedb.bench.run.Metric;
import io.github.coppicedb.bench.run.Workload;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The ratios of Coppice to LMDB, one line a cell of the load, for eyes and scripts. */
public final class RatioLines {
  private RatioLines() {}

  /** Returns the lines; a ratio that is not known is "-". */
  public static List<String> of(Medians medians) {
    return medians.cells().stream()
        .filter(cell -> cell.workload().equals(Workload.LOAD.workloadName()))
        .map(cell -> line(medians, cell))
        .toList();
  }

  private static String line(Medians medians, Cell cell) {
    return "strings %s %d put-ratio %s cpu-ratio %s size-ratio %s"
        .formatted(
            cell.set(),
            cell.count(),
            ratio(medians, cell, (c, engine) -> medians.of(c, engine, Metric.wall("put"))),
            ratio(medians, cell, medians::cpuToMerged),
            ratio(medians, cell, (c, engine) -> medians.of(c, engine, Metric.DISK)));
  }

  private static String ratio(Medians medians, Cell cell, Medians.Value value) {
    return text(medians.ratio(cell, Engines.COPPICE, value));
  }

  static String text(OptionalDouble ratio) {
    return ratio.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f", ratio.getAsDouble());
  }
}
