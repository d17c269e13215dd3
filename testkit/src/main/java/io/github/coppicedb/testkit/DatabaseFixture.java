package io.github.coppicedb.testkit;

import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.Table;
import io.github.coppicedb.TestDatabases;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.Supplier;

/**
 * A database for one test. {@link #close} makes the full check, closes the database and fails if a
 * file, a mapping or a thread is left. On simulated storage it can also crash.
 */
public final class DatabaseFixture implements AutoCloseable {
  private final Supplier<Database> opener;
  private final ThreadLeaks leaks = new ThreadLeaks();
  private SimulatedStorage storage = new SimulatedStorage();
  private Database database;

  private DatabaseFixture(Settings settings) {
    opener = () -> TestDatabases.open(storage, settings.options(), settings.tuning());
    database = opener.get();
  }

  private DatabaseFixture(Path directory, DatabaseOptions options) {
    opener = () -> Database.open(directory, options);
    database = opener.get();
  }

  /** Opens a new database on simulated storage. */
  public static DatabaseFixture simulated(Settings settings) {
    return new DatabaseFixture(settings);
  }

  /** Opens a database in a directory. */
  public static DatabaseFixture directory(Path directory, DatabaseOptions options) {
    return new DatabaseFixture(directory, options);
  }

  /** Returns the open database. */
  public Database database() {
    return database;
  }

  /** Returns the simulated storage; of no use to a database in a directory. */
  public SimulatedStorage storage() {
    return storage;
  }

  /** Returns a table, made if it is missing. */
  public Table table(String name) {
    return database.table(name);
  }

  /** Closes the database and opens it again. */
  public void reopen() {
    database.close();
    requireNothingOpen();
    storage = storage.processKill();
    database = opener.get();
  }

  /** Cuts the power, so that any of the bytes that were not forced may be lost, and opens again. */
  public void powerCut(long seed) {
    continueOn(storage.crash(new Random(seed)));
  }

  /** Ends the process, as far as the storage can see it, and opens again. */
  public void kill() {
    continueOn(storage.processKill());
  }

  private void continueOn(SimulatedStorage left) {
    closeQuietly();
    storage = left;
    database = opener.get();
  }

  /** Closes the database on a storage that may be dead by now. */
  public void closeQuietly() {
    try {
      database.close();
    } catch (StorageFailureException dead) {
      // Files are let go all the same.
    }
    requireNothingOpen();
  }

  @Override
  public void close() {
    database.check();
    database.close();
    requireNothingOpen();
    leaks.requireNone();
  }

  private void requireNothingOpen() {
    if (!storage.openHandles().isEmpty()) {
      throw new AssertionError("left open: " + storage.openHandles());
    }
    if (!storage.misuse().isEmpty()) {
      throw new AssertionError("misuse: " + storage.misuse());
    }
  }
}
