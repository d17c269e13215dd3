package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.Durability;
import io.github.coppicedb.testkit.DatabaseFixture;
import io.github.coppicedb.testkit.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random transfers between accounts in two tables never change the sum. */
final class TransferTest {
  private static final long FOR_EVER_MILLIS = 60_000;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void sumStaysInEverySnapshot(Durability level) throws InterruptedException {
    Settings settings = Settings.tiny().withDurability(level).withMergeThreads(2);
    try (DatabaseFixture fixture = DatabaseFixture.simulated(settings)) {
      transfer(fixture.database(), 1200);
      fixture.reopen();
      assertEquals(Bank.SUM, Bank.of(fixture.database()).sum());
    }
  }

  @Test
  void sumStaysInADirectory() throws InterruptedException {
    DatabaseOptions options =
        DatabaseOptions.defaults().withMemoryBudget(1 << 20).withMergeThreads(2);
    try (DatabaseFixture fixture = DatabaseFixture.directory(directory, options)) {
      transfer(fixture.database(), 1500);
      fixture.reopen();
      assertEquals(Bank.SUM, Bank.of(fixture.database()).sum());
    }
  }

  private static void transfer(Database database, long millis) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(8);
    long end = System.nanoTime() + millis * 1_000_000;
    assertEquals(List.of(), TransferMain.run(Bank.of(database), random, end));
  }

  @Test
  void sumStaysWhenTheProcessIsKilled() throws IOException, InterruptedException {
    kill(3, 1000);
  }

  @Test
  @Tag("long")
  void sumStaysThroughManyKills() throws IOException, InterruptedException {
    kill(40, 3000);
  }

  private void kill(int rounds, int millis) throws IOException, InterruptedException {
    Random random = new Random(9);
    try (Database database = Database.open(directory)) {
      Bank.of(database);
    }
    for (int round = 0; round < rounds; round++) {
      try (ChildJvm child =
          ChildJvm.start(256, TransferMain.class, directory, round, FOR_EVER_MILLIS)) {
        Thread.sleep(millis / 2 + random.nextInt(millis));
        child.kill();
        assertEquals("nothing", child.lastLine("nothing"), "reported by the process");
      }
      try (Database database = Database.open(directory)) {
        assertEquals(Bank.SUM, Bank.of(database).sum(), "round " + round);
        database.check();
      }
    }
  }
}
