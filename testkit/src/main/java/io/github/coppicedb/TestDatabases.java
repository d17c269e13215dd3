package io.github.coppicedb;

import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.Storage;

/** Opens databases in ways that only tests need; in this package to reach what is not public. */
public final class TestDatabases {
  private TestDatabases() {}

  /** Opens a database on any storage with any sizes. Closing the database closes the storage. */
  public static Database open(Storage storage, DatabaseOptions options, Tuning tuning) {
    return Database.open(storage, options, tuning);
  }
}
