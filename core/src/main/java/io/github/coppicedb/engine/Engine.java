package io.github.coppicedb.engine;

import io.github.coppicedb.ConflictException;
import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.Durability;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.format.LogFormat;
import io.github.coppicedb.log.ManifestState;
import io.github.coppicedb.log.ManifestStore;
import io.github.coppicedb.lsm.Background;
import io.github.coppicedb.lsm.FileNumbers;
import io.github.coppicedb.lsm.Forest;
import io.github.coppicedb.lsm.ForestStats;
import io.github.coppicedb.lsm.TreeStore;
import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.lsm.ValueStore;
import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.storage.Storage;
import io.github.coppicedb.tx.CommitPipeline;
import io.github.coppicedb.tx.Lifecycle;
import io.github.coppicedb.tx.ReadSnapshot;
import io.github.coppicedb.tx.Transaction;
import io.github.coppicedb.tx.TransactionContext;
import java.security.SecureRandom;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An open database. Puts the parts together when it is opened, and takes them apart in the opposite
 * order when it is closed. Thread-safe.
 */
public final class Engine implements AutoCloseable {
  private final Storage storage;
  private final Background background;
  private final TreeStore store;
  private final ValueStore values;
  private final Forest forest;
  private final CommitPipeline pipeline;
  private final Lifecycle lifecycle;
  private final TransactionContext context;

  private Engine(Storage storage, Background background, DatabaseOptions options, Tuning tuning) {
    ManifestState manifest = readOrCreateManifest(storage, options);
    // Taken before anything new is made, so that nothing new is mistaken for a stray.
    List<String> found = storage.list();
    FileNumbers numbers = new FileNumbers(Math.max(manifest.nextFileId(), nextUnused(storage)));
    this.storage = storage;
    this.background = background;
    this.lifecycle = new Lifecycle(storage.location());
    this.store = new TreeStore(storage, manifest.databaseId(), numbers, tuning);
    this.values = new ValueStore(storage, numbers);
    try {
      ManifestCheckpoint checkpoint =
          new ManifestCheckpoint(storage, manifest.databaseId(), numbers);
      Recovery recovery = new Recovery(storage, manifest, store, tuning);
      this.forest =
          new Forest(
              store,
              values,
              checkpoint,
              tuning,
              background,
              recovery.openLevels(),
              recovery.start());
      long sequence = recovery.replay(forest);
      removeUnreferenced(found, manifest.replayLog());
      this.pipeline =
          new CommitPipeline(
              forest,
              storage,
              manifest.databaseId(),
              numbers,
              tuning,
              options.durability(),
              lifecycle,
              sequence);
      forest.wake();
    } catch (Throwable e) {
      store.cancelMerges();
      background.close();
      releaseFiles();
      throw e;
    }
    this.context =
        new TransactionContext(
            forest,
            store,
            values,
            pipeline,
            tuning,
            background,
            lifecycle,
            options.durability(),
            new AtomicInteger(),
            new AtomicInteger());
  }

  /**
   * Opens the database whose files a storage holds, or makes one. The storage belongs to the engine
   * from then on; if the open fails it is closed.
   */
  public static Engine open(Storage storage, DatabaseOptions options, Tuning tuning) {
    Background background = new Background("merge", options.mergeThreads());
    try {
      return new Engine(storage, background, options, tuning);
    } catch (Throwable e) {
      background.close();
      storage.close();
      throw e;
    }
  }

  private static ManifestState readOrCreateManifest(Storage storage, DatabaseOptions options) {
    ManifestState manifest = ManifestStore.read(storage);
    if (manifest != null) {
      return manifest;
    }
    List<String> strays = storage.list().stream().filter(FileNames::isNumbered).toList();
    if (!strays.isEmpty()) {
      throw new CorruptionException(
          FileNames.MANIFEST, 0, "a manifest", "none beside the file " + strays.getFirst());
    }
    if (!options.createIfMissing()) {
      throw DirectoryStorage.noDatabase(storage.location());
    }
    long id = new SecureRandom().nextLong();
    ManifestState fresh = new ManifestState(id, 1, 0, LogFormat.FIRST_FRAME, 1, List.of());
    ManifestStore.write(storage, fresh);
    return fresh;
  }

  private static long nextUnused(Storage storage) {
    return storage.list().stream()
            .filter(FileNames::isNumbered)
            .mapToLong(FileNames::idOf)
            .max()
            .orElse(0)
        + 1;
  }

  /** Removes what a crash has left behind: files that nothing committed refers to. */
  private void removeUnreferenced(List<String> found, long firstLog) {
    for (String name : found) {
      boolean needed =
          switch (name) {
            case String log when FileNames.isLog(log) -> FileNames.idOf(log) >= firstLog;
            case String tree when FileNames.isTree(tree) -> store.isOpen(FileNames.idOf(tree));
            case String value when FileNames.isValue(value) ->
                forest.refersTo(FileNames.idOf(value));
            default -> !name.equals(FileNames.MANIFEST_TMP);
          };
      if (!needed) {
        storage.delete(name);
      }
    }
  }

  /** Throws {@link io.github.coppicedb.ClosedException} after {@link #close}. */
  public void ensureOpen() {
    lifecycle.ensureOpen();
  }

  /** Takes a snapshot. */
  public ReadSnapshot snapshot() {
    return context.snapshot();
  }

  /** Begins a write transaction. */
  public Transaction begin() {
    return context.begin();
  }

  /** Returns a table's number, or nothing when there is none of that name. */
  public OptionalInt findTable(String name) {
    try (ReadSnapshot snapshot = snapshot()) {
      return Catalog.find(snapshot, name);
    }
  }

  /** Returns a table's number; makes the table if there is none. */
  public int openTable(String name) {
    OptionalInt known = findTable(name);
    if (known.isPresent()) {
      return known.getAsInt();
    }
    return retrying(
        transaction -> {
          OptionalInt found = Catalog.find(transaction, name);
          return found.isPresent() ? found.getAsInt() : Catalog.create(transaction, name);
        });
  }

  /** Removes a table; false when there is none of that name. */
  public boolean dropTable(String name) {
    return retrying(
        transaction -> {
          OptionalInt number = Catalog.find(transaction, name);
          number.ifPresent(found -> Catalog.drop(transaction, name, found));
          return number.isPresent();
        });
  }

  private <T> T retrying(Function<Transaction, T> work) {
    while (true) {
      Transaction transaction = begin();
      try {
        T result = work.apply(transaction);
        transaction.commit();
        return result;
      } catch (ConflictException e) {
        Thread.onSpinWait();
      } finally {
        transaction.rollback();
      }
    }
  }

  /** Returns the names of all tables. */
  public List<String> tables() {
    try (ReadSnapshot snapshot = snapshot()) {
      return Catalog.names(snapshot);
    }
  }

  /** Returns when everything committed so far is on the device. */
  public void sync() {
    lifecycle.ensureOpen();
    if (context.durability() == Durability.UNSAVED_COMMITS_AT_RISK) {
      storeMemory(false);
    } else {
      pipeline.force();
    }
  }

  /** Moves everything committed so far into tree files and does all merges that are due. */
  public void drain() {
    lifecycle.ensureOpen();
    storeMemory(true);
  }

  private void storeMemory(boolean merges) {
    pipeline.sealActive();
    forest.drain(merges);
    pipeline.checkpointIfStored();
  }

  /** Rewrites everything into the base. */
  public void compact() {
    drain();
    forest.compact();
  }

  /** Returns what memory and levels hold. */
  public ForestStats forestStats() {
    lifecycle.ensureOpen();
    return forest.stats();
  }

  /** Returns the bytes of all files whose names pass. */
  public long fileBytes(Kind kind) {
    lifecycle.ensureOpen();
    return switch (kind) {
      case LOG -> bytes(FileNames::isLog);
      case VALUE -> bytes(FileNames::isValue);
      case ALL -> bytes(name -> true);
    };
  }

  /** Which files are meant. */
  public enum Kind {
    /** Log files. */
    LOG,
    /** Files of large values. */
    VALUE,
    /** All files of the directory. */
    ALL
  }

  private long bytes(java.util.function.Predicate<String> names) {
    long sum = 0;
    for (String name : storage.list()) {
      if (names.test(name)) {
        sum += sizeOrZero(name);
      }
    }
    return sum;
  }

  /** Returns a file's size; zero if a merge has just removed it. */
  private long sizeOrZero(String name) {
    try {
      return storage.size(name);
    } catch (StorageFailureException e) {
      return 0;
    }
  }

  /** Reads and checks every page and value of the stored and packed trees. */
  public IntegrityCheck.Result check() {
    try (ReadSnapshot snapshot = snapshot()) {
      return IntegrityCheck.run(snapshot);
    } catch (IllegalStateException e) {
      throw lifecycle.isClosed() ? lifecycle.closedException() : e;
    }
  }

  /** Returns the last failure of background work, or null. */
  public @Nullable RuntimeException failure() {
    return forest.failure();
  }

  /**
   * Stores what is in memory, forces the log and lets go of all files. Idempotent.
   *
   * @throws StorageFailureException if something could not be stored; it is in the log then, as far
   *     as the durability promises, and everything is closed all the same
   */
  @Override
  public void close() {
    if (!lifecycle.close()) {
      return;
    }
    try {
      storeMemory(false);
    } finally {
      try {
        pipeline.close();
      } finally {
        store.cancelMerges();
        forest.close();
        background.close();
        releaseFiles();
        storage.close();
      }
    }
  }

  private void releaseFiles() {
    values.close();
    store.close();
  }
}
