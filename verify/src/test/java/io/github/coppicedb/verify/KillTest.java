package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Database;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a loading process at random moments: its reported batches are there, or one more. */
final class KillTest {
  private static final long OPEN_LIMIT_MILLIS = 2000;
  private static final int LONGEST_RUN_MILLIS = 1200;
  // From here on a round begins with an empty directory, so that the later ones take no longer.
  private static final int ENOUGH_BATCHES = 1500;

  @TempDir private Path directory;

  @Test
  void fewKills() throws IOException, InterruptedException {
    kill(5);
  }

  @Test
  @Tag("long")
  void hundredKills() throws IOException, InterruptedException {
    kill(100);
  }

  private void kill(int rounds) throws IOException, InterruptedException {
    long seed = Long.getLong("coppice.seed", System.nanoTime());
    Random random = new Random(seed);
    int batches = 0;
    int fresh = 0;
    for (int round = 0; round < rounds; round++) {
      Path database = directory.resolve("db" + fresh);
      String where = "seed %d, round %d".formatted(seed, round);
      int reported = loadAndKill(database, batches, random.nextInt(LONGEST_RUN_MILLIS));
      batches = assertBatches(database, reported, where);
      if (batches > ENOUGH_BATCHES) {
        batches = 0;
        fresh++;
      }
    }
  }

  /** Returns the number of batches that the process has reported as committed. */
  private static int loadAndKill(Path database, int batches, int millis)
      throws IOException, InterruptedException {
    try (ChildJvm child = ChildJvm.start(256, LoadMain.class, database, batches)) {
      String first = child.readLine();
      assertTrue(first != null, "the process has committed a batch");
      Thread.sleep(millis);
      child.kill();
      return Integer.parseInt(child.lastLine(first));
    }
  }

  /** Returns the number of batches found. */
  private static int assertBatches(Path directory, int reported, String where) {
    long begin = System.nanoTime();
    try (Database database = Database.open(directory)) {
      long millis = (System.nanoTime() - begin) / 1_000_000;
      assertTrue(millis < OPEN_LIMIT_MILLIS, () -> where + ": open took " + millis + " ms");
      Optional<Table> table = database.findTable("t");
      assertTrue(table.isPresent(), where);
      int batches;
      try (Snapshot snapshot = database.snapshot()) {
        long keys = snapshot.count(table.get(), KeyRange.all());
        batches = Math.toIntExact(keys / LoadMain.BATCH);
        assertEquals(0, keys % LoadMain.BATCH, () -> where + ": part of a batch");
        assertTrue(
            batches == reported || batches == reported + 1,
            () -> "%s: %d batches reported, %d there".formatted(where, reported, batches));
        assertKeys(snapshot, table.get(), batches, where);
      }
      database.check();
      return batches;
    }
  }

  private static void assertKeys(Snapshot snapshot, Table table, int batches, String where) {
    for (int batch = 0; batch < batches; batch++) {
      for (int i = 0; i < LoadMain.BATCH; i += 97) {
        byte[] key = LoadMain.key(batch, i);
        int current = batch;
        assertTrue(snapshot.contains(table, key), () -> where + ": a key of batch " + current);
      }
    }
  }
}
