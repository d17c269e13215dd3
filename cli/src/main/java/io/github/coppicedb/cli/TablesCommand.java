package io.github.coppicedb.cli;

import io.github.coppicedb.Database;
import io.github.coppicedb.cli.io.ExitStatus;
import io.github.coppicedb.cli.io.Json;
import io.github.coppicedb.cli.io.Streams;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the tables. */
@Command(name = "tables", description = "List the tables, one name a line.")
final class TablesCommand implements Callable<Integer> {
  private final Streams streams;

  @Mixin private final DatabaseArgument database = new DatabaseArgument();
  @Mixin private final JsonOption json = new JsonOption();

  TablesCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    try (Database open = database.open()) {
      if (json.isJson()) {
        streams.out().line(new Json().putStrings("tables", open.tables()).toString());
      } else {
        open.tables().forEach(streams.out()::line);
      }
    }
    return ExitStatus.DONE;
  }
}
