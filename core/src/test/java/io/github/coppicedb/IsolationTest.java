package io.github.coppicedb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.storage.FaultyStorage;
import io.github.coppicedb.tree.TreeSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Anomalies by name, for transactions that stay in their top and for those that overflow it. */
final class IsolationTest {
  private static final byte[] X = {'x'};
  private static final byte[] Y = {'y'};
  private static final byte[] ONE = {1};
  private static final byte[] TWO = {2};

  // Tiny, but for the memory that past commits may take.
  private static final Tuning TUNING =
      new Tuning(512, 1 << 20, 2048, 4096, 1 << 14, 2048, 3, 2, 3, 2, new TreeSettings(128, 10));

  @TempDir private Path directory;

  private Database db;
  private Table table;
  private Table filler;

  @BeforeEach
  void open() {
    open(0);
  }

  private void open(int threads) {
    db =
        Database.open(
            new FaultyStorage(DirectoryStorage.open(directory, true)),
            new DatabaseOptions(Durability.PROCESS_SAFE, true, 1 << 20, threads),
            TUNING);
    table = db.table("t");
    filler = db.table("filler");
  }

  @AfterEach
  void close() {
    db.close();
  }

  private WriteTransaction begin() {
    return db.beginWrite();
  }

  /** Makes a transaction so large that its top overflows, with keys that nobody else has. */
  private void grow(WriteTransaction tx, boolean large) {
    for (int i = 0; large && i < 60; i++) {
      byte[] key = new byte[8];
      ThreadLocalRandom.current().nextBytes(key);
      tx.put(filler, key, new byte[20]);
    }
  }

  private static void assertConflict(WriteTransaction tx) {
    assertThrows(ConflictException.class, tx::commit);
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void lostUpdate(boolean firstLarge, boolean secondLarge) {
    try (WriteTransaction first = begin();
        WriteTransaction second = begin()) {
      assertNull(first.get(table, X));
      assertNull(second.get(table, X));
      first.put(table, X, ONE);
      grow(first, firstLarge);
      second.put(table, X, TWO);
      grow(second, secondLarge);
      first.commit();
      assertConflict(second);
    }
    assertArrayEquals(ONE, db.read(view -> view.get(table, X)));
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void aDeletedRangeMeetsWhatWasPutInIt(boolean firstLarge, boolean secondLarge) {
    for (boolean rangeFirst : new boolean[] {false, true}) {
      try (WriteTransaction put = begin();
          WriteTransaction range = begin()) {
        put.put(table, Y, ONE);
        grow(put, firstLarge);
        range.deleteRange(table, KeyRange.closed(X, Y));
        grow(range, secondLarge);
        (rangeFirst ? range : put).commit();
        assertConflict(rangeFirst ? put : range);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void twoDeletedRangesMeet(boolean firstLarge, boolean secondLarge) {
    try (WriteTransaction first = begin();
        WriteTransaction second = begin()) {
      first.deleteRange(table, KeyRange.closed(X, Y));
      grow(first, firstLarge);
      second.deleteRange(table, KeyRange.atLeast(Y));
      grow(second, secondLarge);
      first.commit();
      assertConflict(second);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsNotTheSameDoesNotMeet(boolean large) {
    try (WriteTransaction first = begin();
        WriteTransaction second = begin()) {
      first.put(table, X, ONE);
      first.deleteRange(table, KeyRange.all().lessThan(X));
      grow(first, large);
      second.put(table, Y, ONE);
      second.deleteRange(table, KeyRange.greaterThan(Y));
      grow(second, large);
      first.commit();
      second.commit();
    }
    assertEquals(2L, db.<Long>read(view -> view.count(table, KeyRange.all())));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasRolledBackDoesNotMeet(boolean large) {
    try (WriteTransaction first = begin();
        WriteTransaction second = begin()) {
      first.put(table, X, ONE);
      grow(first, large);
      first.commit();
      Savepoint savepoint = second.savepoint();
      second.put(table, X, TWO);
      grow(second, large);
      second.rollbackTo(savepoint);
      second.put(table, Y, TWO);
      second.commit();
    }
    assertArrayEquals(ONE, db.read(view -> view.get(table, X)));
    assertEquals(2L, db.<Long>read(view -> view.count(table, KeyRange.all())));
  }

  @Test
  void anOldTransactionMeetsWhatWasCommittedManySealsAgo() {
    try (WriteTransaction old = begin();
        WriteTransaction free = begin()) {
      old.put(table, X, TWO);
      free.put(table, Y, TWO);
      db.write(tx -> tx.put(table, X, ONE));
      for (int i = 0; i < 20; i++) {
        db.write(tx -> grow(tx, true));
        byte[] key = {(byte) i, 1};
        db.write(tx -> tx.put(filler, key, new byte[300]));
      }
      assertConflict(old);
      free.commit();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLargeCommitIsStillKnownWhenItsFilesWereMerged(boolean large) {
    try (WriteTransaction old = begin();
        WriteTransaction free = begin()) {
      old.put(table, X, TWO);
      grow(old, large);
      free.put(table, Y, TWO);
      grow(free, large);
      db.write(
          tx -> {
            tx.put(table, X, ONE);
            grow(tx, true);
          });
      for (int i = 0; i < 3; i++) {
        db.write(tx -> grow(tx, true));
        db.compact();
      }
      assertConflict(old);
      free.commit();
    }
    db.drain();
    assertEquals(1, db.stats().heldVersions());
    assertEquals(db.stats().treeBytes(), treeFileBytes());
  }

  private long treeFileBytes() {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".tree"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void readsSkew() {
    db.write(
        tx -> {
          tx.put(table, X, ONE);
          tx.put(table, Y, ONE);
        });
    try (WriteTransaction reader = begin();
        Snapshot snapshot = db.snapshot()) {
      assertArrayEquals(ONE, reader.get(table, X));
      db.write(
          tx -> {
            tx.put(table, X, TWO);
            tx.put(table, Y, TWO);
          });
      db.drain();
      assertArrayEquals(ONE, reader.get(table, Y));
      assertArrayEquals(ONE, snapshot.get(table, Y));
      reader.commit();
    }
  }

  @Test
  void writeSkewIsPossible() {
    try (WriteTransaction first = begin();
        WriteTransaction second = begin()) {
      assertNull(first.get(table, Y));
      assertNull(second.get(table, X));
      first.put(table, X, ONE);
      second.put(table, Y, ONE);
      first.commit();
      second.commit();
    }
  }

  @Test
  void aDropMeetsChangesOfTheTable() {
    try (WriteTransaction tx = begin()) {
      tx.put(table, X, ONE);
      assertTrue(db.dropTable("t"));
      assertConflict(tx);
      assertThrows(IllegalStateException.class, () -> db.write(it -> it.put(table, X, ONE)));
    }
    Table again = db.table("t");
    assertNull(db.read(view -> view.get(again, X)));
  }

  /** Threads move amounts between accounts, by halves in large transactions; the sum stays. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void transfersKeepTheSum(int threads) throws InterruptedException {
    close();
    open(threads);
    int accounts = 12;
    db.write(
        tx -> {
          for (int i = 0; i < accounts; i++) {
            set(tx, i, 100);
          }
        });
    AtomicBoolean end = new AtomicBoolean();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      boolean large = i == 0;
      workers.add(worker(end, failures, () -> db.write(tx -> transfer(tx, accounts, large))));
    }
    workers.add(worker(end, failures, () -> db.read(view -> checkSum(view, accounts))));
    workers.add(worker(end, failures, () -> db.drain()));
    TimeUnit.MILLISECONDS.sleep(1500);
    end.set(true);
    for (Thread worker : workers) {
      worker.join();
    }
    for (Throwable failure : failures) {
      throw new AssertionError("a thread failed", failure);
    }
    assertTrue(failures.isEmpty());
    db.read(view -> checkSum(view, accounts));
    close();
    open(threads);
    db.read(view -> checkSum(view, accounts));
  }

  private static Thread worker(AtomicBoolean end, Queue<Throwable> failures, Runnable work) {
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

  private void transfer(WriteTransaction tx, int accounts, boolean large) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int from = random.nextInt(accounts);
    int to = random.nextInt(accounts);
    int amount = random.nextInt(10);
    set(tx, from, get(tx, from) - amount);
    grow(tx, large);
    set(tx, to, get(tx, to) + amount);
  }

  private int checkSum(ReadView view, int accounts) {
    int sum = 0;
    for (int i = 0; i < accounts; i++) {
      sum += get(view, i);
    }
    int walked = 0;
    try (Cursor cursor = view.cursor(table)) {
      while (cursor.next()) {
        walked += ByteBuffer.wrap(cursor.value()).getInt();
      }
    }
    assertEquals(100 * accounts, sum);
    assertEquals(100 * accounts, walked);
    return sum;
  }

  private void set(WriteTransaction tx, int account, int amount) {
    tx.put(table, new byte[] {(byte) account}, ByteBuffer.allocate(4).putInt(amount).array());
  }

  private int get(ReadView view, int account) {
    byte[] value = Objects.requireNonNull(view.get(table, new byte[] {(byte) account}));
    return ByteBuffer.wrap(value).getInt();
  }
}
