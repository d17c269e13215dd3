package io.github.coppicedb;

import io.github.coppicedb.engine.Engine;
import io.github.coppicedb.engine.IntegrityCheck;
import io.github.coppicedb.lsm.ForestStats;
import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.storage.Storage;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An ordered, transactional key-value database in a directory. One process at a time has it open.
 *
 * {@snippet :
 * try (Database db = Database.open(Path.of("shop"))) {
 *   Table users = db.table("users");
 *   db.write(tx -> tx.put(users, key, value));
 *   byte[] found = db.read(snapshot -> snapshot.get(users, key));
 * }
 * }
 *
 * <p>Thread-safe. A thread that is interrupted disturbs nobody; its interrupt status is kept.
 */
public final class Database implements AutoCloseable {
  private static final int MAX_BACKOFF_SHIFT = 8;
  private static final long BACKOFF_NANOS = 10_000;

  private final Engine engine;
  // One handle a table, so that a drop reaches all who use it; filled and emptied under the lock.
  private final ConcurrentHashMap<String, Table> tables = new ConcurrentHashMap<>();
  private final Object catalogLock = new Object();

  private Database(Engine engine) {
    this.engine = engine;
  }

  /**
   * Opens the database in a directory with the default options; makes directory and database if
   * they are missing.
   */
  public static Database open(Path directory) {
    return open(directory, DatabaseOptions.defaults());
  }

  /**
   * Opens the database in a directory. After a crash everything that was acknowledged is there.
   *
   * @throws LockedException if it is open already
   * @throws StorageFailureException if files cannot be read or written, or there is no database and
   *     none may be made
   * @throws CorruptionException if files are damaged
   * @throws UnsupportedFormatException if files are of a newer version
   */
  public static Database open(Path directory, DatabaseOptions options) {
    Storage storage = DirectoryStorage.open(directory, options.createIfMissing());
    return open(storage, options, Tuning.of(options));
  }

  static Database open(Storage storage, DatabaseOptions options, Tuning tuning) {
    return new Database(Engine.open(storage, options, tuning));
  }

  /** Returns the table of a name; makes it if there is none. */
  public Table table(String name) {
    Table known = known(name);
    if (known != null) {
      return known;
    }
    synchronized (catalogLock) {
      return tables.computeIfAbsent(name, any -> new Table(this, name, engine.openTable(name)));
    }
  }

  private @Nullable Table known(String name) {
    engine.ensureOpen();
    return tables.get(Arguments.tableName(name));
  }

  /** Returns the table of a name, if there is one. */
  public Optional<Table> findTable(String name) {
    Table known = known(name);
    if (known != null) {
      return Optional.of(known);
    }
    synchronized (catalogLock) {
      OptionalInt number = engine.findTable(name);
      return number.isEmpty()
          ? Optional.empty()
          : Optional.of(
              tables.computeIfAbsent(name, any -> new Table(this, name, number.getAsInt())));
    }
  }

  /**
   * Removes a table and all its keys at once, however many; false when there is none of that name.
   * Snapshots taken before still see it; changes through its handles are refused from now on.
   */
  public boolean dropTable(String name) {
    Arguments.tableName(name);
    synchronized (catalogLock) {
      Table handle = tables.get(name);
      if (handle == null) {
        return engine.dropTable(name);
      }
      // Marked before: a transaction that begins after the drop would not be in conflict with it.
      handle.markDropped(true);
      boolean dropped = false;
      try {
        dropped = engine.dropTable(name);
        tables.remove(name);
        return dropped;
      } finally {
        handle.markDropped(dropped);
      }
    }
  }

  /** Returns the names of all tables, sorted. */
  public List<String> tables() {
    return engine.tables();
  }

  /** Returns the state as of now. Close it. */
  public Snapshot snapshot() {
    return new Snapshot(this, engine.snapshot());
  }

  /** Begins a write transaction. Close it. */
  public WriteTransaction beginWrite() {
    return new WriteTransaction(this, engine.begin());
  }

  /**
   * Runs work in a transaction and commits it; runs it again, on a newer state, as long as another
   * transaction was first. So the work must not have other effects than its changes.
   */
  public void write(Consumer<WriteTransaction> work) {
    // The result stands for nothing: a function must have one.
    boolean ran =
        writeReturning(
            transaction -> {
              work.accept(transaction);
              return true;
            });
    assert ran;
  }

  /** Like {@link #write} for work that has a result. */
  public <T> T writeReturning(Function<WriteTransaction, T> work) {
    Objects.requireNonNull(work, "work");
    for (int attempt = 0; ; attempt++) {
      try (WriteTransaction transaction = beginWrite()) {
        T result = work.apply(transaction);
        transaction.commit();
        return result;
      } catch (ConflictException e) {
        // Growing, and different for each, so that those who met do not meet again.
        long most = BACKOFF_NANOS << Math.min(attempt, MAX_BACKOFF_SHIFT);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
      }
    }
  }

  /** Runs work on a snapshot. */
  public <T> T read(Function<Snapshot, T> work) {
    try (Snapshot snapshot = snapshot()) {
      return work.apply(snapshot);
    }
  }

  /**
   * Returns when all that was committed before the call is on the device: no crash takes any of it
   * back, whatever the {@link Durability}. So commits at a weaker level can be made safe together;
   * at {@link Durability#POWER_SAFE} they are already. At {@link
   * Durability#UNSAVED_COMMITS_AT_RISK}, where there is no log, what is in memory is written to
   * tree files.
   *
   * @throws StorageFailureException if it could not be forced; then what a crash takes back is
   *     unknown, and the database takes no more commits until it is opened again
   */
  public void sync() {
    engine.sync();
  }

  /**
   * Moves all that was committed so far into tree files and does all merges that are due; the log
   * is empty then.
   */
  public void drain() {
    engine.drain();
  }

  /** Rewrites the whole database into its densest form. Needs as much free space as it has now. */
  public void compact() {
    engine.compact();
  }

  /** Returns what the database holds and costs. */
  public DatabaseStats stats() {
    ForestStats forest = engine.forestStats();
    RuntimeException failure = engine.failure();
    return new DatabaseStats(
        forest.layers(),
        forest.layers().stream().skip(1).mapToLong(LevelStats::bytes).sum(),
        engine.fileBytes(Engine.Kind.LOG),
        engine.fileBytes(Engine.Kind.VALUE),
        engine.fileBytes(Engine.Kind.ALL),
        forest.versions(),
        failure == null ? null : String.valueOf(failure.getMessage()));
  }

  /**
   * Reads everything and checks it.
   *
   * @throws CorruptionException at the first damage
   */
  public CheckReport check() {
    IntegrityCheck.Result result = engine.check();
    return new CheckReport(result.trees(), result.pages(), result.entries(), result.values());
  }

  /**
   * Stores what is in memory and lets go of all files, threads and the lock. Snapshots,
   * transactions and cursors that are still open throw {@link ClosedException} from then on.
   * Idempotent.
   */
  @Override
  public void close() {
    engine.close();
  }
}
