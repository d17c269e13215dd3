package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Database;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import io.github.coppicedb.testkit.DatabaseFixture;
import io.github.coppicedb.testkit.Settings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions that are larger than the memory they may take. */
final class BigTransactionTest {
  private static final int HEAP_MEGABYTES = 256;
  private static final int FOUR_MILLION = 4_000_000;
  private static final int CATALOG_BYTES = 4096;

  @TempDir private Path directory;

  @Test
  @Tag("long")
  void fourMillionKeysInASmallHeap() throws IOException, InterruptedException {
    assertRun(FOUR_MILLION, "commit", FOUR_MILLION);
  }

  @Test
  @Tag("long")
  void fourMillionKeysRolledBack() throws IOException, InterruptedException {
    assertRun(FOUR_MILLION, "rollback", 0);
  }

  private void assertRun(int keys, String end, int expected)
      throws IOException, InterruptedException {
    try (ChildJvm child =
        ChildJvm.start(HEAP_MEGABYTES, BigTransactionMain.class, directory, keys, end)) {
      assertEquals("" + expected, child.lastLine("nothing"));
      assertEquals(0, child.await());
    }
    assertTrue(expected > 0 || dataBytes() < CATALOG_BYTES, () -> dataBytes() + " bytes left");
    try (Database database = Database.open(directory)) {
      Table table = database.table("t");
      assertEquals(
          expected, database.read(snapshot -> snapshot.count(table, KeyRange.all())).intValue());
      database.check();
    }
  }

  /** Returns the bytes of all files that hold data. */
  private long dataBytes() {
    long bytes = 0;
    for (File file : Objects.requireNonNull(directory.toFile().listFiles())) {
      bytes += holdsData(file.getName()) ? file.length() : 0;
    }
    return bytes;
  }

  private static boolean holdsData(String name) {
    return name.endsWith(".tree") || name.endsWith(".value");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void manyTopsInOneTransaction(int mergeThreads) {
    int keys = 20_000;
    Settings settings = Settings.tiny().withMergeThreads(mergeThreads);
    try (DatabaseFixture fixture = DatabaseFixture.simulated(settings)) {
      Table table = fixture.table("t");
      try (WriteTransaction transaction = fixture.database().beginWrite()) {
        BigTransactionMain.put(transaction, table, keys);
        assertAll(new Reader(transaction, table), keys);
        transaction.commit();
      }
      assertAllCommitted(fixture, keys);
      fixture.powerCut(1);
      assertAllCommitted(fixture, keys);
      fixture.database().drain();
      fixture.reopen();
      assertAllCommitted(fixture, keys);
    }
  }

  private static void assertAllCommitted(DatabaseFixture fixture, int keys) {
    Table table = fixture.table("t");
    fixture.database().read(snapshot -> assertAll(new Reader(snapshot, table), keys));
  }

  private static boolean assertAll(Reader reader, int keys) {
    assertEquals(keys, reader.view().count(reader.table(), KeyRange.all()));
    for (int i = 0; i < keys; i += 101) {
      reader.assertValue(new byte[0], BigTransactionMain.key(i));
    }
    return true;
  }

  @Test
  void abandonedTransactionLeavesNoFile() throws InterruptedException {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      fixture.database().drain();
      List<String> before = dataFiles(fixture);
      try (WriteTransaction transaction = fixture.database().beginWrite()) {
        BigTransactionMain.put(transaction, table, 20_000);
      }
      // Files go off the user's threads.
      for (int i = 0; i < 100 && !dataFiles(fixture).equals(before); i++) {
        Thread.sleep(20);
      }
      assertEquals(before, dataFiles(fixture));
      fixture.reopen();
      assertEquals(before, dataFiles(fixture));
    }
  }

  @Test
  void killedTransactionLeavesNoFile() {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      fixture.database().drain();
      List<String> before = dataFiles(fixture);
      WriteTransaction transaction = fixture.database().beginWrite();
      BigTransactionMain.put(transaction, table, 20_000);
      fixture.kill();
      assertEquals(before, dataFiles(fixture));
    }
  }

  private static List<String> dataFiles(DatabaseFixture fixture) {
    return fixture.storage().list().stream().filter(BigTransactionTest::holdsData).toList();
  }
}
