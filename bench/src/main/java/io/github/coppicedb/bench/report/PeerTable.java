package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.engine.Engines;
import io.github.coppicedb.bench.report.Medians.Cell;
import io.github.coppicedb.bench.run.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Where another engine in Java is ahead of Coppice. One thread. */
final class PeerTable {
  private final Medians medians;
  private final Markdown out;
  private int compared;

  PeerTable(Medians medians, Markdown out) {
    this.medians = medians;
    this.out = out;
  }

  private List<Column> columns() {
    return List.of(
        Column.seconds("put", wall("put")),
        Column.seconds("put CPU", metric(Metric.cpu("put"))),
        Column.seconds("CPU until merged", medians::cpuToMerged),
        Column.seconds("put + commit + close", medians::durable),
        Column.seconds("scan", wall("scan")),
        Column.seconds("reopen + scan", medians::reopenAndScan),
        Column.seconds("hits", wall("hits")),
        Column.seconds("misses", wall("misses")),
        Column.megabytes("disk MB", metric(Metric.DISK)),
        Column.megabytes("peak RSS MB", metric(Metric.PEAK_RSS)));
  }

  private Medians.Value metric(String name) {
    return (cell, engine) -> medians.of(cell, engine, name);
  }

  private Medians.Value wall(String phase) {
    return metric(Metric.wall(phase));
  }

  void write() {
    List<List<String>> rows = new ArrayList<>();
    for (Cell cell : medians.cells()) {
      for (Column column : columns()) {
        List<String> ahead = ahead(cell, column);
        if (!ahead.isEmpty()) {
          rows.add(
              List.of(
                  cell.workload(),
                  cell.set(),
                  "%,d".formatted(cell.count()),
                  column.head(),
                  column.text(cell, Engines.COPPICE),
                  String.join(", ", ahead)));
        }
      }
    }
    if (compared == 0) {
      return;
    }
    out.add(
        "## Peers in Java that are ahead",
        "",
        "%,d numbers of peers were compared with Coppice's; %s."
            .formatted(compared, rows.isEmpty() ? "none is better" : "these are better"),
        "");
    if (!rows.isEmpty()) {
      out.heads(List.of("workload", "set", "keys", "column", "Coppice", "ahead"));
      rows.forEach(out::row);
      out.add("");
    }
  }

  private List<String> ahead(Cell cell, Column column) {
    List<String> ahead = new ArrayList<>();
    OptionalDouble own = column.value().of(cell, Engines.COPPICE);
    for (EngineSpec engine : Engines.all()) {
      OptionalDouble theirs = column.value().of(cell, engine.name());
      if (Engines.isPeer(engine) && own.isPresent() && theirs.isPresent()) {
        compared++;
        if (theirs.getAsDouble() < own.getAsDouble()) {
          boolean isInMemory = medians.of(cell, engine.name(), Metric.DISK).isEmpty();
          ahead.add(
              "%s %s%s"
                  .formatted(
                      engine.name(),
                      column.text(cell, engine.name()),
                      isInMemory ? " (in memory)" : ""));
        }
      }
    }
    return ahead;
  }
}
