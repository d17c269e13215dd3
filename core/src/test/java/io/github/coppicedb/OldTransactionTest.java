package io.github.coppicedb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.tree.TreeSettings;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transactions that are open while more is committed than the history of commits may keep. */
final class OldTransactionTest {
  private static final int BUDGET = 1 << 16;
  private static final byte[] MINE = {1};
  private static final byte[] THEIRS = {2};
  private static final byte[] SHORT = {0};
  private static final byte[] LONG = new byte[BUDGET];

  @TempDir private Path directory;

  private Database db;
  private Table table;

  @BeforeEach
  void open() {
    open(BUDGET, 0);
  }

  private void open(int budget, int threads) {
    Tuning tuning =
        new Tuning(
            1 << 12, budget, 1 << 18, 1 << 20, 1 << 20, 1 << 18, 3, 2, 3, 2, TreeSettings.DEFAULT);
    DatabaseOptions options =
        DatabaseOptions.defaults()
            .withDurability(Durability.PROCESS_SAFE)
            .withMergeThreads(threads);
    db = Database.open(DirectoryStorage.open(directory, true), options, tuning);
    table = db.table("t");
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void put(byte[] key, byte[] value) {
    db.write(tx -> tx.put(table, key, value));
  }

  private WriteTransaction begin(byte[] key) {
    WriteTransaction tx = db.beginWrite();
    tx.put(table, key, SHORT);
    return tx;
  }

  @Test
  void meetsNothingThatWasCommittedBeforeItBegan() {
    put(THEIRS, LONG);
    try (WriteTransaction mine = begin(MINE);
        WriteTransaction same = begin(THEIRS)) {
      db.drain();
      mine.commit();
      for (int i = 0; i < 3; i++) {
        put(new byte[] {3, (byte) i}, LONG);
        db.drain();
      }
      same.commit();
    }
  }

  @Test
  void meetsNothingThatWasForgottenBeforeItBegan() {
    put(new byte[BUDGET * 5 / 8], SHORT);
    try (WriteTransaction mine = begin(MINE)) {
      db.drain();
      // The keys of the first top alone take more than half of the budget, and go with this one.
      put(THEIRS, SHORT);
      db.drain();
      mine.commit();
    }
  }

  @Test
  void meetsNoValuesHoweverLarge() {
    try (WriteTransaction mine = begin(MINE);
        WriteTransaction same = begin(THEIRS)) {
      for (int i = 0; i < 5; i++) {
        put(i == 2 ? THEIRS : new byte[] {3, (byte) i}, LONG);
        db.drain();
      }
      mine.commit();
      assertThrows(ConflictException.class, same::commit);
    }
  }

  @Test
  void meetsNoKeyThatIsWrittenAgainAndAgain() {
    try (WriteTransaction mine = begin(MINE);
        WriteTransaction same = begin(THEIRS)) {
      for (int i = 0; i < 5000; i++) {
        put(THEIRS, new byte[50]);
      }
      mine.commit();
      assertThrows(ConflictException.class, same::commit);
    }
  }

  @Test
  void failsWhenMoreKeysWereChangedThanTheBudgetAllows() {
    try (WriteTransaction old = begin(MINE)) {
      putKeys(0, BUDGET / 20);
      try (WriteTransaction younger = begin(MINE)) {
        putKeys(BUDGET / 20, BUDGET / 20 + 100);
        assertThrows(ConflictException.class, old::commit);
        younger.commit();
      }
    }
    put(MINE, LONG);
  }

  /** While tops are sealed under them all the time, nobody meets what he did not change. */
  @Test
  @Timeout(60)
  void threadsWithKeysOfTheirOwnNeverMeet() throws InterruptedException {
    close();
    open(1 << 24, 2);
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    AtomicBoolean end = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (byte i = 0; i < 3; i++) {
      byte[] own = {i};
      threads.add(repeat(end, failures, () -> putOnce(own)));
    }
    threads.add(repeat(end, failures, () -> db.drain()));
    TimeUnit.MILLISECONDS.sleep(700);
    end.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), List.copyOf(failures));
  }

  private void putOnce(byte[] key) {
    try (WriteTransaction tx = begin(key)) {
      tx.put(table, key, new byte[ThreadLocalRandom.current().nextInt(3000)]);
      tx.commit();
    }
  }

  private static Thread repeat(AtomicBoolean end, Queue<Throwable> failures, Runnable work) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                while (!end.get()) {
                  work.run();
                }
              } catch (Throwable e) {
                failures.add(e);
              }
            });
  }

  private void putKeys(int from, int to) {
    for (int i = from; i < to; i++) {
      put(ByteBuffer.allocate(8).putLong(i).array(), SHORT);
    }
  }
}
