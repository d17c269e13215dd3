package io.github.coppicedb.cli;

import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.Durability;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.InputFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** The database that a command works on. */
final class DatabaseArgument {
  @Parameters(index = "0", paramLabel = "DB", description = "The directory of the database.")
  private String directory = "";

  /** Opens the database, which must be there. */
  Database open() {
    Path path = InputFiles.path(directory);
    if (Files.notExists(path)) {
      throw CommandException.failure(
          "there is no directory %s; check the name, or make a database by put or load"
              .formatted(path));
    }
    return Database.open(path, DatabaseOptions.defaults().withCreateIfMissing(false));
  }

  /** Opens the database, or makes it. */
  Database openOrCreate(Durability durability) {
    DatabaseOptions options = DatabaseOptions.defaults().withDurability(durability);
    return Database.open(InputFiles.path(directory), options);
  }

  @Override
  public String toString() {
    return directory;
  }
}
