package io.github.coppicedb;

import io.github.coppicedb.tx.KeySpace;

/**
 * A named set of keys and their values inside a database; got from {@link Database#table}. A handle
 * only: it holds no resources, and any thread may use it as long as the database is open.
 */
public final class Table {
  private final Database database;
  private final String name;
  private final KeySpace keys;
  private volatile boolean dropped;

  Table(Database database, String name, int number) {
    this.database = database;
    this.name = name;
    this.keys = KeySpace.of(number);
  }

  /** Returns the table's name. */
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return "table " + name;
  }

  /** Returns the table's place in the shared trees, for a view of the given database. */
  KeySpace keysIn(Database user) {
    if (user != database) {
      throw new IllegalArgumentException("table '" + name + "' is of another open database");
    }
    return keys;
  }

  /** Returns the same for a change. */
  KeySpace keysToChange(Database user) {
    if (dropped) {
      throw new IllegalStateException("table '" + name + "' was dropped");
    }
    return keysIn(user);
  }

  void markDropped(boolean isDropped) {
    dropped = isDropped;
  }
}
