package io.github.coppicedb.cli;

import io.github.coppicedb.Database;
import io.github.coppicedb.Table;
import io.github.coppicedb.cli.io.CommandException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The table that a command works on, behind its database. */
final class TableArgument {
  @Mixin private final DatabaseArgument database = new DatabaseArgument();

  @Parameters(index = "1", paramLabel = "TABLE", description = "The name of the table.")
  private String name = "";

  /** Returns where the table is. */
  DatabaseArgument database() {
    return database;
  }

  /** Returns the name as given. */
  String name() {
    return name;
  }

  /** Returns the table, which must be there. */
  Table find(Database database) {
    try {
      return database.findTable(name).orElseThrow(this::unknown);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the table, made if need be. */
  Table findOrCreate(Database database) {
    try {
      return database.table(name);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()));
    }
  }

  /** Returns what to tell when there is no such table. */
  CommandException unknown() {
    return CommandException.negative(
        "there is no table '%s'; \"coppice tables\" lists what there is".formatted(name));
  }
}
