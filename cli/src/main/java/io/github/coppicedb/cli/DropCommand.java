package io.github.coppicedb.cli;

import io.github.coppicedb.Database;
import io.github.coppicedb.cli.io.ExitStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Deletes one table. */
@Command(name = "drop", description = "Delete a table with all its keys.")
final class DropCommand implements Callable<Integer> {
  @Mixin private final TableArgument table = new TableArgument();

  @Override
  public Integer call() {
    try (Database open = table.database().open()) {
      table.find(open);
      if (!open.dropTable(table.name())) {
        throw table.unknown();
      }
    }
    return ExitStatus.DONE;
  }
}
