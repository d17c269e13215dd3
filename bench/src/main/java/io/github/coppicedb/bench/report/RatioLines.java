package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.engine.Engines;
import io.github.coppicedb.bench.report.Medians.Cell;
import io.github.coppicedb.bench.run.Metric;
import io.github.coppicedb.bench.run.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The ratios of Coppice to LMDB, one line a cell of the load, for eyes and scripts. */
public final class RatioLines {
  private RatioLines() {}

  /** Returns the lines, those of the cold runs last; a ratio that is not known is "-". */
  public static List<String> of(Medians medians) {
    List<Cell> loads =
        medians.cells().stream()
            .filter(cell -> cell.workload().equals(Workload.LOAD.workloadName()))
            .toList();
    List<String> lines = new ArrayList<>();
    loads.forEach(cell -> lines.add(line(medians, cell)));
    for (Cell cell : loads) {
      OptionalDouble cold = medians.coldRatio(cell, Engines.COPPICE);
      if (cold.isPresent()) {
        lines.add(
            "cold strings %s %d put-ratio %s".formatted(cell.set(), cell.count(), text(cold)));
      }
    }
    return lines;
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
