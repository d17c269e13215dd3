package io.github.coppicedb.cli;

import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseStats;
import io.github.coppicedb.cli.io.ExitStatus;
import io.github.coppicedb.cli.io.Numbers;
import io.github.coppicedb.cli.io.Progress;
import io.github.coppicedb.cli.io.StatsTable;
import io.github.coppicedb.cli.io.Streams;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Brings the database into its densest form. */
@Command(name = "compact", description = "Rewrite the database as small as can be.")
final class CompactCommand implements Callable<Integer> {
  private final Streams streams;

  @Mixin private final DatabaseArgument database = new DatabaseArgument();

  CompactCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    try (Database open = database.open()) {
      DatabaseStats before = open.stats();
      long start = System.nanoTime();
      try (Progress progress = Progress.start(streams, "compact", "databases")) {
        progress.say(Numbers.count(before.entries()) + " entries");
        open.compact();
      }
      print(before, open.stats(), System.nanoTime() - start);
    }
    return ExitStatus.DONE;
  }

  private void print(DatabaseStats before, DatabaseStats after, long nanos) {
    streams
        .out()
        .line(
            String.format(
                Locale.ROOT,
                "compacted %s entries in %.2f s: %s before, %s now, %s bytes per key",
                Numbers.count(after.entries()),
                Numbers.seconds(nanos),
                Numbers.bytes(StatsTable.ownBytes(before)),
                Numbers.bytes(StatsTable.ownBytes(after)),
                Numbers.perEntry(StatsTable.ownBytes(after), after.entries())));
  }
}
