package io.github.coppicedb.cli;

import io.github.coppicedb.Database;
import io.github.coppicedb.Table;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.ExitStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes one key. */
@Command(name = "delete", description = "Delete a key and its value.")
final class DeleteCommand implements Callable<Integer> {
  @Mixin private final TableArgument table = new TableArgument();
  @Mixin private final BytesOption format = new BytesOption();

  @Parameters(index = "2", paramLabel = "KEY", description = "The key.")
  private String key = "";

  @Override
  public Integer call() {
    byte[] unwanted = format.key("KEY", key);
    try (Database open = table.database().open()) {
      Table from = table.find(open);
      boolean there =
          open.writeReturning(
              tx -> {
                boolean found = tx.contains(from, unwanted);
                tx.delete(from, unwanted);
                return found;
              });
      if (!there) {
        throw CommandException.negative("there is no such key");
      }
    }
    return ExitStatus.DONE;
  }
}
