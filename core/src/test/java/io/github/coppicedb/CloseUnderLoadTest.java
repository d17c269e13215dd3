package io.github.coppicedb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.storage.FaultyStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that is closed while all kinds of work are under way in other threads. */
final class CloseUnderLoadTest {
  private static final int ROUNDS = 5;

  @TempDir private Path directory;

  private final Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();

  private Database open(int threads) {
    return Database.open(
        new FaultyStorage(DirectoryStorage.open(directory, true)),
        new DatabaseOptions(Durability.PROCESS_SAFE, true, 1 << 20, threads),
        Tuning.tiny());
  }

  private Thread worker(Database db, Consumer<Random> work) {
    return Thread.ofPlatform()
        .start(
            () -> {
              Random random = new Random();
              try {
                while (true) {
                  work.accept(random);
                }
              } catch (ClosedException e) {
                // So it should end.
                assert db != null;
              } catch (Throwable e) {
                unexpected.add(e);
              }
            });
  }

  private static byte[] key(Random random) {
    return new byte[] {(byte) random.nextInt(20), (byte) random.nextInt()};
  }

  private static void put(WriteTransaction tx, Table table, Random random, int count) {
    for (int i = 0; i < count; i++) {
      tx.put(table, key(random), new byte[random.nextInt(20) == 0 ? 3000 : 30]);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void everyoneIsToldThatItWasClosed(int threads) throws Exception {
    for (int round = 0; round < ROUNDS && unexpected.isEmpty(); round++) {
      Database db = open(threads);
      Table table = db.table("t");
      List<Thread> workers = new ArrayList<>();
      workers.add(worker(db, random -> db.write(tx -> put(tx, table, random, 3))));
      workers.add(worker(db, random -> db.write(tx -> put(tx, table, random, 60))));
      workers.add(worker(db, random -> db.drain()));
      workers.add(worker(db, random -> db.compact()));
      workers.add(worker(db, random -> db.check()));
      workers.add(worker(db, random -> db.stats()));
      workers.add(worker(db, random -> db.read(view -> view.count(table, KeyRange.all()))));
      workers.add(
          worker(
              db,
              random ->
                  db.read(
                      view -> {
                        for (int i = 0; i < 20; i++) {
                          view.get(table, key(random));
                        }
                        return 0;
                      })));
      TimeUnit.MILLISECONDS.sleep(20 + 30 * round);
      db.close();
      for (Thread thread : workers) {
        thread.join();
      }
      try (Database again = open(0)) {
        again.check();
        assertEquals(List.of("t"), again.tables());
      }
    }
    for (Throwable failure : unexpected) {
      throw new AssertionError("a thread failed", failure);
    }
    assertTrue(unexpected.isEmpty(), unexpected::toString);
    List<String> left =
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.startsWith("coppice-"))
            .toList();
    assertEquals(List.of(), left);
  }
}
