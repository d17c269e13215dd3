package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Database;
import io.github.coppicedb.Durability;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.Table;
import io.github.coppicedb.testkit.DatabaseFixture;
import io.github.coppicedb.testkit.Settings;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bug reports about tables beside each other, logs, and crashes (docs/testing.md). */
final class CrashBugReportTest {
  private static final byte[] N = Keys.text("n");

  @Test
  void br41TablesWithUnequalSharesKeepAllKeys() {
    Settings settings =
        Settings.small().withDurability(Durability.PROCESS_SAFE).withMergeThreads(4);
    int keys = 40_000;
    int rare = 71; // One key in 71 is 1.4 %.
    try (DatabaseFixture fixture = DatabaseFixture.simulated(settings)) {
      Table often = fixture.table("often");
      Table seldom = fixture.table("seldom");
      byte[] value = new byte[256];
      for (int batch = 0; batch < keys; batch += 100) {
        int from = batch;
        fixture
            .database()
            .write(
                tx -> {
                  for (int i = from; i < from + 100; i++) {
                    tx.put(i % rare == 0 ? seldom : often, Keys.number(i * 7919), value);
                  }
                });
      }
      int inSeldom = (keys + rare - 1) / rare;
      assertCounts(fixture.database(), keys - inSeldom, inSeldom);
      fixture.reopen();
      assertCounts(fixture.database(), keys - inSeldom, inSeldom);
    }
  }

  private static void assertCounts(Database database, int often, int seldom) {
    assertEquals(often, count(database, "often"));
    assertEquals(seldom, count(database, "seldom"));
  }

  private static long count(Database database, String name) {
    Table table = database.findTable(name).orElseThrow();
    return database.read(snapshot -> snapshot.count(table, KeyRange.all()));
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void br45TransactionOverTwoTablesIsNeverHalf(Durability level) throws InterruptedException {
    Settings settings = Settings.tiny().withDurability(level).withMergeThreads(1);
    try (DatabaseFixture fixture = DatabaseFixture.simulated(settings)) {
      fixture.table("A");
      fixture.table("B");
      fixture.database().drain();
      Random random = new Random(45);
      for (int round = 0; round < 25; round++) {
        int seed = round;
        try (ExecutorService writers = Executors.newFixedThreadPool(4)) {
          for (int i = 0; i < 4; i++) {
            writers.execute(() -> countUpUntilItStops(fixture.database()));
          }
          fixture.storage().faults().failFrom(10 + random.nextInt(300));
          for (int i = 0; i < 20; i++) {
            assertEqualCounters(fixture.database());
          }
        }
        fixture.powerCut(seed);
        assertEqualCounters(fixture.database());
      }
    }
  }

  /** Counts up until the storage fails, or far enough where no commit touches it. */
  private static void countUpUntilItStops(Database database) {
    Table a = database.findTable("A").orElseThrow();
    Table b = database.findTable("B").orElseThrow();
    try {
      for (int i = 0; i < 300; i++) {
        database.write(
            tx -> {
              byte[] old = tx.get(a, N);
              byte[] next = Keys.number(old == null ? 1 : number(old) + 1);
              tx.put(a, N, next);
              tx.put(b, N, next);
            });
      }
    } catch (StorageFailureException e) {
      assertTrue(e.getMessage() != null, "the crash");
    }
  }

  private static int number(byte[] bytes) {
    return java.nio.ByteBuffer.wrap(bytes).getInt();
  }

  private static void assertEqualCounters(Database database) {
    Table a = database.findTable("A").orElseThrow();
    Table b = database.findTable("B").orElseThrow();
    database.read(
        snapshot -> {
          assertArrayEquals(snapshot.get(a, N), snapshot.get(b, N));
          return true;
        });
  }

  @Test
  void br49IdleTableDoesNotPinTheLog() {
    Settings settings = Settings.small().withDurability(Durability.PROCESS_SAFE);
    int bytes = 16 << 20;
    byte[] value = new byte[4096];
    try (DatabaseFixture fixture = DatabaseFixture.simulated(settings)) {
      Table idle = fixture.table("B");
      fixture.database().write(tx -> tx.put(idle, N, N));
      fixture.database().write(tx -> tx.deleteRange(idle, KeyRange.all()));
      fixture.database().write(tx -> tx.put(idle, N, N));
      Table busy = fixture.table("A");
      for (int i = 0; i < bytes / value.length; i++) {
        byte[] key = Keys.number(i);
        fixture.database().write(tx -> tx.put(busy, key, value));
      }
      long log = fixture.database().stats().logBytes();
      assertTrue(log < bytes / 4, () -> "the log has %d bytes".formatted(log));
      fixture.kill();
      assertEquals(1, count(fixture.database(), "B"));
      assertEquals(bytes / value.length, count(fixture.database(), "A"));
    }
  }
}
