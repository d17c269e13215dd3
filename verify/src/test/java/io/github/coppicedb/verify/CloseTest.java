package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.Cursor;
import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.LockedException;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import io.github.coppicedb.testkit.DatabaseFixture;
import io.github.coppicedb.testkit.Settings;
import io.github.coppicedb.testkit.ThreadLeaks;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What is left after the end: nothing; what use after the end gives: an exception. */
final class CloseTest {
  private static final byte[] KEY = Keys.text("k");

  @TempDir private Path directory;

  @Test
  void useOfAClosedDatabaseThrows() {
    Database database = Database.open(directory);
    Table table = database.table("t");
    Snapshot snapshot = database.snapshot();
    WriteTransaction transaction = database.beginWrite();
    transaction.put(table, KEY, KEY);
    Cursor cursor = transaction.cursor(table);
    database.close();
    database.close();
    List<Executable> uses =
        List.of(
            database::snapshot,
            database::beginWrite,
            database::drain,
            database::compact,
            database::check,
            database::stats,
            database::tables,
            () -> database.table("u"),
            () -> database.findTable("t"),
            () -> database.dropTable("t"),
            () -> database.write(tx -> tx.put(table, KEY, KEY)),
            () -> snapshot.get(table, KEY),
            () -> snapshot.cursor(table),
            () -> transaction.get(table, KEY),
            () -> transaction.put(table, KEY, KEY),
            transaction::commit,
            cursor::next,
            cursor::first);
    for (int i = 0; i < uses.size(); i++) {
      assertThrows(ClosedException.class, uses.get(i), "use " + i);
    }
    snapshot.close();
    cursor.close();
    transaction.close();
  }

  @Test
  void useOfAnEndedViewThrows() {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      WriteTransaction committed = fixture.database().beginWrite();
      committed.put(table, KEY, KEY);
      Cursor cursor = committed.cursor(table);
      committed.commit();
      assertThrows(ClosedException.class, committed::commit);
      assertThrows(ClosedException.class, () -> committed.put(table, KEY, KEY));
      assertThrows(ClosedException.class, () -> committed.get(table, KEY));
      assertThrows(ClosedException.class, cursor::first);
      committed.close();
      Snapshot snapshot = fixture.database().snapshot();
      Cursor over = snapshot.cursor(table);
      snapshot.close();
      snapshot.close();
      assertThrows(ClosedException.class, () -> snapshot.get(table, KEY));
      assertThrows(ClosedException.class, over::first);
      over.close();
    }
  }

  @Test
  void transactionThatIsClosedWithoutCommitIsRolledBack() {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      try (WriteTransaction transaction = fixture.database().beginWrite()) {
        transaction.put(table, KEY, KEY);
      }
      assertNull(fixture.database().read(snapshot -> snapshot.get(table, KEY)));
    }
  }

  @Test
  void directoryIsLockedWhileOpenAndFreeAfterwards() {
    ThreadLeaks leaks = new ThreadLeaks();
    for (int i = 0; i < 30; i++) {
      byte[] key = Keys.number(i);
      try (Database database = Database.open(directory)) {
        assertThrows(LockedException.class, () -> Database.open(directory));
        Table table = database.table("t");
        database.write(tx -> tx.put(table, key, key));
        if (i % 7 == 0) {
          database.drain();
        }
        int keys = database.read(snapshot -> new Reader(snapshot, table).keys().size());
        assertEquals(i + 1, keys);
      }
    }
    leaks.requireNone();
  }

  @Test
  void closeWhileOthersReadAndWriteEndsThemWithAnException() throws InterruptedException {
    DatabaseOptions options = DatabaseOptions.defaults().withMemoryBudget(1 << 20);
    for (int round = 0; round < 10; round++) {
      ThreadLeaks leaks = new ThreadLeaks();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Database database = Database.open(directory, options);
      Table table = database.table("t");
      Thread writer = Thread.ofPlatform().start(() -> writeOn(database, table, failure));
      Thread reader = Thread.ofPlatform().start(() -> readOn(database, table, failure));
      Thread.sleep(30);
      database.close();
      writer.join();
      reader.join();
      assertNull(failure.get());
      leaks.requireNone();
    }
    try (Database database = Database.open(directory, options)) {
      database.check();
    }
  }

  private static void writeOn(Database database, Table table, AtomicReference<Throwable> failure) {
    untilClosed(
        failure,
        turn -> database.write(tx -> tx.put(table, Keys.number(turn % 5000), new byte[500])));
  }

  private static void readOn(Database database, Table table, AtomicReference<Throwable> failure) {
    untilClosed(failure, turn -> database.read(view -> new Reader(view, table).keys()));
  }

  private static void untilClosed(
      AtomicReference<Throwable> failure, java.util.function.IntConsumer turn) {
    try {
      for (int i = 0; i < Integer.MAX_VALUE; i++) {
        turn.accept(i);
      }
    } catch (ClosedException e) {
      return;
    } catch (RuntimeException | AssertionError e) {
      failure.set(e);
    }
  }
}
