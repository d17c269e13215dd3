package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import io.github.coppicedb.testkit.DatabaseFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** BR-47: interrupted threads disturb neither themselves nor others. */
final class InterruptTest {
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.defaults().withMemoryBudget(1 << 20);

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void br47EverythingWorksWhileInterrupted(boolean virtual) throws InterruptedException {
    try (DatabaseFixture fixture = DatabaseFixture.directory(directory, OPTIONS)) {
      Table table = fixture.table("t");
      fixture.database().write(tx -> tx.put(table, Keys.number(0), new byte[100]));
      inThread(virtual, () -> useInterrupted(fixture.database(), table));
      assertEquals(2, count(fixture.database()));
      fixture.database().write(tx -> tx.put(table, Keys.number(2), new byte[100]));
      inThread(
          virtual,
          () -> {
            Thread.currentThread().interrupt();
            fixture.reopen();
          });
      assertEquals(3, count(fixture.database()));
    }
  }

  private static void useInterrupted(Database database, Table table) {
    Thread.currentThread().interrupt();
    assertEquals(1, count(database));
    try (WriteTransaction transaction = database.beginWrite()) {
      transaction.put(table, Keys.number(1), new byte[2 << 20]);
      transaction.commit();
    }
    database.drain();
    database.compact();
    database.check();
    assertEquals(2, count(database));
    assertTrue(Thread.currentThread().isInterrupted(), "the flag is kept");
  }

  @Test
  void br47RandomInterruptsOfManyThreads() throws InterruptedException {
    try (DatabaseFixture fixture = DatabaseFixture.directory(directory, OPTIONS)) {
      Table table = fixture.table("t");
      AtomicInteger committed = new AtomicInteger();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        int writer = i;
        Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
        Runnable work = () -> write(fixture.database(), table, writer, committed);
        threads.add(builder.start(() -> guarded(work, failure)));
      }
      interruptUntilTheyEnd(threads);
      assertNull(failure.get());
      assertEquals(committed.get(), count(fixture.database()));
      fixture.reopen();
      assertEquals(committed.get(), count(fixture.database()));
    }
  }

  private static void write(Database database, Table table, int writer, AtomicInteger committed) {
    byte[] value = new byte[1000];
    for (int i = 0; i < 300; i++) {
      byte[] key = Keys.text(writer + "-" + i);
      database.write(tx -> tx.put(table, key, value));
      committed.incrementAndGet();
      assertTrue(database.read(snapshot -> snapshot.contains(table, key)).booleanValue());
    }
  }

  private static void interruptUntilTheyEnd(List<Thread> threads) throws InterruptedException {
    Random random = new Random(47);
    while (threads.stream().anyMatch(Thread::isAlive)) {
      threads.get(random.nextInt(threads.size())).interrupt();
      Thread.sleep(1);
    }
  }

  private static void inThread(boolean virtual, Runnable work) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
    builder.start(() -> guarded(work, failure)).join();
    assertNull(failure.get());
  }

  private static void guarded(Runnable work, AtomicReference<Throwable> failure) {
    try {
      work.run();
    } catch (RuntimeException | AssertionError e) {
      failure.set(e);
    }
  }

  private static long count(Database database) {
    Table table = database.table("t");
    return database.read(snapshot -> snapshot.count(table, KeyRange.all()));
  }
}
