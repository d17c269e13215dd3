package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.coppicedb.ConflictException;
import io.github.coppicedb.Database;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import io.github.coppicedb.testkit.DatabaseContent;
import io.github.coppicedb.testkit.DatabaseFixture;
import io.github.coppicedb.testkit.ModelState;
import io.github.coppicedb.testkit.Settings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many writers and readers at once. */
final class ConcurrencyTest {
  private static final int WRITERS = 6;
  private static final Settings BACKGROUND = Settings.tiny().withMergeThreads(2);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void retriedIncrementsAreNeverLost(boolean virtual)
      throws InterruptedException, ExecutionException {
    int increments = 400;
    int counters = 5;
    try (DatabaseFixture fixture = DatabaseFixture.simulated(BACKGROUND)) {
      Table table = fixture.table("t");
      List<Runnable> work = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        SplittableRandom random = new SplittableRandom(i);
        work.add(
            () -> {
              for (int n = 0; n < increments; n++) {
                increment(fixture.database(), table, Keys.number(random.nextInt(counters)));
              }
            });
      }
      runAll(virtual, work);
      assertEquals(WRITERS * increments, sum(fixture.database(), table));
      fixture.reopen();
      assertEquals(WRITERS * increments, sum(fixture.database(), fixture.table("t")));
    }
  }

  private static void increment(Database database, Table table, byte[] key) {
    database.write(
        tx -> {
          byte[] old = tx.get(table, key);
          tx.put(table, key, Keys.number(old == null ? 1 : number(old) + 1));
        });
  }

  private static int sum(Database database, Table table) {
    NavigableMap<byte[], byte[]> content =
        database.read(snapshot -> DatabaseContent.of(snapshot, table));
    return content.values().stream().mapToInt(ConcurrencyTest::number).sum();
  }

  private static int number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt();
  }

  @Test
  void snapshotsStayAsTheyAreBesideWritesAndMerges()
      throws InterruptedException, ExecutionException {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(BACKGROUND)) {
      Table table = fixture.table("t");
      List<Runnable> work = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int seed = i;
        work.add(() -> writeAtRandom(fixture.database(), table, seed));
        work.add(() -> readTwice(fixture.database(), table));
      }
      runAll(false, work);
    }
  }

  private static void writeAtRandom(Database database, Table table, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 500; i++) {
      byte[] key = Keys.number(random.nextInt(2000));
      byte[] end = Keys.number(random.nextInt(2000));
      database.write(
          tx -> {
            if (key[3] % 50 == 0) {
              tx.deleteRange(table, KeyRange.closedOpen(key, end));
            }
            tx.put(table, key, end);
          });
    }
    database.drain();
  }

  private static void readTwice(Database database, Table table) {
    for (int i = 0; i < 40; i++) {
      try (Snapshot snapshot = database.snapshot()) {
        NavigableMap<byte[], byte[]> first = DatabaseContent.of(snapshot, table);
        Thread.onSpinWait();
        NavigableMap<byte[], byte[]> again = DatabaseContent.of(snapshot, table);
        assertEquals(null, ModelState.difference(first, again));
        assertEquals(first.size(), snapshot.count(table, KeyRange.all()));
      }
    }
  }

  @Test
  void firstCommitterWinsAndTheOtherHasNotHappened() {
    byte[] key = Keys.text("k");
    try (DatabaseFixture fixture = DatabaseFixture.simulated(BACKGROUND)) {
      Table table = fixture.table("t");
      try (WriteTransaction first = fixture.database().beginWrite();
          WriteTransaction second = fixture.database().beginWrite()) {
        second.put(table, Keys.text("other"), key);
        first.put(table, key, Keys.number(1));
        second.put(table, key, Keys.number(2));
        first.commit();
        fixture.database().drain();
        assertThrows(ConflictException.class, second::commit);
      }
      List<String> keys = fixture.database().read(snapshot -> new Reader(snapshot, table).keys());
      assertEquals(Keys.shownTexts("k"), keys);
    }
  }

  @Test
  void tablesAreMadeOnceByManyThreads() throws InterruptedException, ExecutionException {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(BACKGROUND)) {
      List<Runnable> work = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        byte[] key = Keys.number(i);
        work.add(
            () -> {
              for (int t = 0; t < 20; t++) {
                Table table = fixture.database().table("t" + t);
                fixture.database().write(tx -> tx.put(table, key, key));
              }
            });
      }
      runAll(false, work);
      assertEquals(20, fixture.database().tables().size());
      for (int t = 0; t < 20; t++) {
        Table table = fixture.table("t" + t);
        long count = fixture.database().read(view -> view.count(table, KeyRange.all()));
        assertEquals(WRITERS, count);
      }
    }
  }

  private static void runAll(boolean virtual, List<Runnable> work)
      throws InterruptedException, ExecutionException {
    try (ExecutorService pool =
        virtual
            ? Executors.newVirtualThreadPerTaskExecutor()
            : Executors.newFixedThreadPool(work.size())) {
      List<Future<?>> all = new ArrayList<>();
      work.forEach(task -> all.add(pool.submit(task)));
      for (Future<?> one : all) {
        one.get();
      }
    }
  }
}
