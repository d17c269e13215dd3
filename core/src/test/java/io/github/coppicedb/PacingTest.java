package io.github.coppicedb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.storage.FaultyStorage;
import io.github.coppicedb.storage.FaultyStorage.Call;
import io.github.coppicedb.tree.TreeSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer that could do more than merges, on a storage that is slow for tree files. */
final class PacingTest {
  private static final int BOUND = 4 * 2;
  private static final Tuning SIZES =
      new Tuning(
          1 << 12,
          1 << 17,
          1 << 14,
          1 << 20,
          1 << 15,
          1 << 12,
          3,
          2,
          4,
          3,
          new TreeSettings(512, 10));

  @TempDir private Path directory;

  private static void slowTreeFiles(FaultyStorage storage) {
    storage.failWhen(
        (call, name) -> {
          if (call == Call.WRITE && name.endsWith(".tree")) {
            LockSupport.parkNanos(500_000);
          }
          return false;
        });
  }

  private static LevelStats level0(Database db) {
    return db.stats().levels().get(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void levelZeroStaysInItsBoundAndNoCommitWaitsLong(int threads) {
    FaultyStorage storage = new FaultyStorage(DirectoryStorage.open(directory, true));
    slowTreeFiles(storage);
    DatabaseOptions options = new DatabaseOptions(Durability.PROCESS_SAFE, true, 1 << 20, threads);
    Random random = new Random(threads);
    int rows = 16_000;
    long longest = 0;
    int most = 0;
    try (Database db = Database.open(storage, options, SIZES)) {
      Table table = db.table("t");
      byte[] key = new byte[8];
      byte[] value = new byte[40];
      for (int i = 0; i < rows; i += 20) {
        random.nextBytes(value);
        long begin = System.nanoTime();
        try (WriteTransaction tx = db.beginWrite()) {
          for (int j = 0; j < 20; j++) {
            random.nextBytes(key);
            tx.put(table, key, value);
          }
          tx.commit();
        }
        longest = Math.max(longest, System.nanoTime() - begin);
        most = Math.max(most, level0(db).runs());
      }
      assertTrue(most <= BOUND, "runs of level 0: " + most);
      storage.heal();
      db.drain();
      assertEquals(0, level0(db).runs());
      long count = db.read(view -> view.count(table, KeyRange.all()));
      assertEquals(rows, count);
      db.check();
    }
    System.out.printf("%d threads: %d runs, %.1f ms%n", threads, most, longest / 1e6);
    if (threads > 0) {
      assertTrue(longest < 1_000_000_000L, "a commit took " + longest);
    }
  }

  @Test
  void behindADrainNoMergeGoesOn() {
    FaultyStorage storage = new FaultyStorage(DirectoryStorage.open(directory, true));
    slowTreeFiles(storage);
    DatabaseOptions options = new DatabaseOptions(Durability.PROCESS_SAFE, true, 1 << 20, 2);
    Random random = new Random(7);
    try (Database db = Database.open(storage, options, SIZES)) {
      Table table = db.table("t");
      byte[] key = new byte[8];
      for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 150; i++) {
          db.write(
              tx -> {
                for (int j = 0; j < 20; j++) {
                  random.nextBytes(key);
                  tx.put(table, key, new byte[40]);
                }
              });
        }
        db.drain();
        List<LevelStats> drained = db.stats().levels();
        LockSupport.parkNanos(100_000_000);
        assertEquals(drained, db.stats().levels(), "round " + round);
      }
    }
  }
}
