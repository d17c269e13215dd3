package io.github.coppicedb.cli;

import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseStats;
import io.github.coppicedb.LevelStats;
import io.github.coppicedb.cli.io.ExitStatus;
import io.github.coppicedb.cli.io.Json;
import io.github.coppicedb.cli.io.Numbers;
import io.github.coppicedb.cli.io.Output;
import io.github.coppicedb.cli.io.StatsTable;
import io.github.coppicedb.cli.io.Streams;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints what the database is made of. */
@Command(
    name = "stat",
    description = {
      "Print entries, sizes and levels.",
      "Entries count a few of the catalog's too and, until a compaction, what was overwritten or"
          + " deleted."
    })
final class StatCommand implements Callable<Integer> {
  private final Streams streams;

  @Mixin private final DatabaseArgument database = new DatabaseArgument();
  @Mixin private final JsonOption json = new JsonOption();

  StatCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    try (Database open = database.open()) {
      DatabaseStats stats = open.stats();
      int tables = open.tables().size();
      if (json.isJson()) {
        streams.out().line(json(stats, tables).toString());
      } else {
        print(stats, tables);
      }
    }
    return ExitStatus.DONE;
  }

  private void print(DatabaseStats stats, int tables) {
    Output out = streams.out();
    out.line("tables        " + Numbers.count(tables));
    out.line("entries       " + Numbers.count(stats.entries()));
    out.line(
        "on disk       %s, %s bytes per key"
            .formatted(
                Numbers.bytes(stats.diskBytes()),
                Numbers.perEntry(stats.diskBytes(), stats.entries())));
    out.line("trees         " + Numbers.bytes(stats.treeBytes()));
    out.line("log           " + Numbers.bytes(stats.logBytes()));
    out.line("large values  " + Numbers.bytes(stats.valueFileBytes()));
    out.line("memory        " + Numbers.bytes(memoryBytes(stats)));
    out.line("");
    StatsTable.levels(stats).forEach(out::line);
  }

  private static Json json(DatabaseStats stats, int tables) {
    return new Json()
        .put("tables", tables)
        .put("entries", stats.entries())
        .put("diskBytes", stats.diskBytes())
        .put("bytesPerKey", (double) stats.diskBytes() / stats.entries())
        .put("treeBytes", stats.treeBytes())
        .put("logBytes", stats.logBytes())
        .put("valueFileBytes", stats.valueFileBytes())
        .put("memoryBytes", memoryBytes(stats))
        .putObjects("levels", stats.levels().stream().map(StatCommand::json).toList());
  }

  /** The first of the levels is what is in memory only. */
  private static long memoryBytes(DatabaseStats stats) {
    return stats.levels().getFirst().bytes();
  }

  private static Json json(LevelStats level) {
    return new Json()
        .put("name", level.name())
        .put("runs", level.runs())
        .put("trees", level.trees())
        .put("entries", level.entries())
        .put("tombstones", level.tombstones())
        .put("bytes", level.bytes());
  }
}
