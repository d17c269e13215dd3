package io.github.coppicedb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.storage.FaultyStorage;
import io.github.coppicedb.storage.FaultyStorage.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a failing call of the storage leaves behind: now, after a crash, and after a reopen. */
final class FailureTest {
  private static final byte[] LARGE = new byte[3000];

  @TempDir private Path directory;

  // Every test opens a database before anything else, and that sets it.
  @SuppressWarnings("NullAway.Init")
  private FaultyStorage storage;

  private Database open(Path path, Durability durability, int threads) {
    storage = new FaultyStorage(DirectoryStorage.open(path, true));
    return Database.open(
        storage, new DatabaseOptions(durability, true, 1 << 20, threads), Tuning.tiny());
  }

  private Database open(Path path) {
    return open(path, Durability.POWER_SAFE, 0);
  }

  private static byte[] key(int i) {
    return "key%05d".formatted(i).getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  /** Returns a directory with the files as a killed process would leave them. */
  private Path killed() throws IOException {
    Path copy = directory.resolve("copy" + System.nanoTime());
    Files.createDirectory(copy);
    try (Stream<Path> files = Files.list(directory.resolve("db"))) {
      for (Path file : files.toList()) {
        if (!file.endsWith("LOCK")) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
    }
    return copy;
  }

  private Path db() {
    return directory.resolve("db");
  }

  private static void fill(WriteTransaction transaction, Table table, int from, int to) {
    for (int i = from; i < to; i++) {
      transaction.put(table, key(i), new byte[20]);
    }
  }

  private static long count(Database db, Table table) {
    return db.read(view -> view.count(table, KeyRange.all()));
  }

  /** Fails one call only. */
  private void failOnce(Call call, String suffix) {
    AtomicBoolean done = new AtomicBoolean();
    storage.failWhen(
        (which, name) -> which == call && name.endsWith(suffix) && !done.getAndSet(true));
  }

  @Test
  void aCommitThatFailedBeforeTheLogDoesNotComeBack() throws IOException {
    Path copy;
    try (Database db = open(db())) {
      Table table = db.table("t");
      failOnce(Call.FORCE_DIRECTORY, "");
      assertThrows(
          StorageFailureException.class, () -> db.write(tx -> tx.put(table, key(1), LARGE)));
      storage.heal();
      db.write(tx -> tx.put(table, key(2), new byte[] {2}));
      copy = killed();
    }
    try (Database db = open(copy)) {
      Table table = db.table("t");
      assertArrayEquals(new byte[] {2}, db.read(view -> view.get(table, key(2))));
      assertNull(db.read(view -> view.get(table, key(1))));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFailedForceLeavesADatabaseThatOpens(boolean large) throws IOException {
    Database db = open(db());
    Table table = db.table("t");
    failOnce(Call.FORCE, ".log");
    assertThrows(
        StorageFailureException.class,
        () ->
            db.write(
                tx -> {
                  tx.put(table, key(0), LARGE);
                  fill(tx, table, 1, large ? 100 : 2);
                }));
    Path copy = killed();
    assertThrows(StorageFailureException.class, db::close);
    for (Path path : new Path[] {copy, db()}) {
      try (Database again = open(path)) {
        Table found = again.table("t");
        long count = again.read(view -> view.count(found, KeyRange.all()));
        assertTrue(count == 0 || count == (large ? 100 : 2), "half a transaction: " + count);
        byte[] value = again.read(view -> view.get(found, key(0)));
        assertTrue(count == 0 ? value == null : value != null && value.length == LARGE.length);
        again.check();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"POWER_SAFE", "PROCESS_SAFE"})
  void aCommitWhoseWriteFailedIsGoneAtOnce(Durability durability) throws IOException {
    Path copy;
    try (Database db = open(db(), durability, 0)) {
      Table table = db.table("t");
      storage.failLateWhen((call, name) -> call == Call.WRITE && name.endsWith(".log"));
      assertThrows(
          StorageFailureException.class, () -> db.write(tx -> tx.put(table, key(1), LARGE)));
      storage.heal();
      copy = killed();
      db.write(tx -> tx.put(table, key(2), LARGE));
    }
    for (Path path : new Path[] {copy, db()}) {
      try (Database db = open(path)) {
        Table table = db.table("t");
        assertNull(db.read(view -> view.get(table, key(1))));
        db.check();
      }
    }
  }

  @Test
  void aWriteThatCannotBeCutKeepsItsFiles() throws IOException {
    Database db = open(db());
    Table table = db.table("t");
    storage.failLateWhen(
        (call, name) -> (call == Call.WRITE || call == Call.TRUNCATE) && name.endsWith(".log"));
    assertThrows(StorageFailureException.class, () -> db.write(tx -> tx.put(table, key(1), LARGE)));
    storage.failWhen((call, name) -> call == Call.TRUNCATE);
    Path copy = killed();
    assertThrows(StorageFailureException.class, db::close);
    try (Database again = open(copy)) {
      again.check();
      assertNotNull(again.table("t"));
    }
  }

  @Test
  void aPutThatFailsLosesNoOtherChange() {
    try (Database db = open(db())) {
      Table table = db.table("t");
      try (WriteTransaction tx = db.beginWrite()) {
        storage.failWhen((call, name) -> call == Call.CREATE && name.endsWith(".tree"));
        int done = 0;
        boolean failed = false;
        while (!failed) {
          if (done % 7 == 0) {
            tx.savepoint();
          }
          try {
            tx.put(table, key(done), new byte[20]);
            done++;
          } catch (StorageFailureException e) {
            failed = true;
          }
        }
        storage.heal();
        int sum = done;
        assertEquals(sum, tx.count(table, KeyRange.all()));
        tx.put(table, key(done), new byte[20]);
        tx.commit();
        assertEquals(sum + 1, count(db, table));
      }
    }
  }

  @Test
  void opensWithoutChangesLeaveNoLogs() throws IOException {
    for (int i = 0; i < 6; i++) {
      try (Database db = open(db())) {
        db.table("t");
      }
    }
    try (Stream<Path> files = Files.list(db())) {
      assertTrue(files.filter(file -> file.toString().endsWith(".log")).count() <= 2);
    }
  }
}
