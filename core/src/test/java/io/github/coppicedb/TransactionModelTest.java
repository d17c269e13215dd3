package io.github.coppicedb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.storage.FaultyStorage;
import io.github.coppicedb.tree.TreeSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One transaction after the other with savepoints, against maps, over seals, spills, reopens. */
final class TransactionModelTest {
  @TempDir private Path directory;

  private Random random = new Random(0);

  // Every test opens the database first, and that sets both.
  @SuppressWarnings("NullAway.Init")
  private Database db;

  @SuppressWarnings("NullAway.Init") // As above.
  private Table table;

  private NavigableMap<byte[], byte[]> committed = new TreeMap<>(Arrays::compareUnsigned);

  @BeforeEach
  void open() {
    open(0);
  }

  private void reopen(int threads, Tuning tuning) {
    db.close();
    open(threads, tuning);
  }

  private void open(int threads) {
    open(threads, Tuning.tiny());
  }

  private void open(int threads, Tuning tuning) {
    Durability[] all = Durability.values();
    db =
        Database.open(
            new FaultyStorage(DirectoryStorage.open(directory, true)),
            new DatabaseOptions(all[random.nextInt(all.length)], true, 1 << 20, threads),
            tuning);
    table = db.table("t");
  }

  private byte[] key() {
    byte[] key = new byte[random.nextInt(4)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(6) * 51);
    }
    return key;
  }

  private byte[] value() {
    byte[] value = new byte[random.nextInt(40) == 0 ? 2100 : random.nextInt(40)];
    random.nextBytes(value);
    return value;
  }

  private NavigableMap<byte[], byte[]> copy(NavigableMap<byte[], byte[]> map) {
    return new TreeMap<>(map);
  }

  private void assertSame(NavigableMap<byte[], byte[]> map, ReadView view) {
    try (Cursor cursor = view.cursor(table)) {
      for (Map.Entry<byte[], byte[]> entry : map.entrySet()) {
        assertTrue(cursor.next());
        assertArrayEquals(entry.getKey(), cursor.key());
        assertArrayEquals(entry.getValue(), cursor.value());
      }
      assertFalse(cursor.next());
      for (Map.Entry<byte[], byte[]> entry : map.descendingMap().entrySet()) {
        assertTrue(cursor.previous());
        assertArrayEquals(entry.getKey(), cursor.key());
      }
      assertFalse(cursor.previous());
    }
    byte[] key = key();
    assertArrayEquals(map.get(key), view.get(table, key));
  }

  private void change(WriteTransaction tx, NavigableMap<byte[], byte[]> map) {
    byte[] key = key();
    switch (random.nextInt(12)) {
      case 0 -> {
        byte[] end = key();
        tx.deleteRange(table, KeyRange.closedOpen(key, end));
        if (Arrays.compareUnsigned(key, end) < 0) {
          map.subMap(key, end).clear();
        }
      }
      case 1, 2, 3 -> {
        tx.delete(table, key);
        map.remove(key);
      }
      case 4 -> {
        byte[] value = value();
        assertEquals(!map.containsKey(key), tx.putIfAbsent(table, key, value));
        map.putIfAbsent(key, value);
      }
      default -> {
        byte[] value = value();
        tx.put(table, key, value);
        map.put(key, value);
      }
    }
  }

  private void transaction(int changes) {
    NavigableMap<byte[], byte[]> map = copy(committed);
    List<Savepoint> savepoints = new ArrayList<>();
    List<NavigableMap<byte[], byte[]>> maps = new ArrayList<>();
    try (WriteTransaction tx = db.beginWrite()) {
      for (int i = 0; i < changes; i++) {
        change(tx, map);
        if (random.nextInt(10) == 0) {
          savepoints.add(tx.savepoint());
          maps.add(copy(map));
        }
        if (!savepoints.isEmpty() && random.nextInt(30) == 0) {
          int to = random.nextInt(savepoints.size());
          tx.rollbackTo(savepoints.get(to));
          map = copy(maps.get(to));
          savepoints.subList(to + 1, savepoints.size()).clear();
          maps.subList(to + 1, maps.size()).clear();
        }
        if (random.nextInt(20) == 0) {
          assertSame(map, tx);
        }
      }
      assertSame(map, tx);
      if (random.nextInt(4) > 0) {
        tx.commit();
        committed = map;
      }
    }
    db.read(
        view -> {
          assertSame(committed, view);
          return 0;
        });
  }

  private long valueFiles() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".value")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @RepeatedTest(8)
  void transactionsDoWhatMapsDo(RepetitionInfo repetition) {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    random = new Random(seed);
    int threads = repetition.getCurrentRepetition() % 3;
    reopen(threads, Tuning.tiny());
    for (int i = 0; i < 12; i++) {
      transaction(1 + random.nextInt(random.nextBoolean() ? 10 : 150));
      if (random.nextInt(5) == 0) {
        db.drain();
      }
      if (random.nextInt(4) == 0) {
        reopen(threads, Tuning.tiny());
        assertSame(committed, db.beginWrite());
      }
    }
    db.check();
    db.compact();
    reopen(0, Tuning.tiny());
    assertSame(committed, db.snapshot());
    long large = committed.values().stream().filter(value -> value.length > 2048).count();
    assertEquals(large, valueFiles());
    db.close();
  }

  @Test
  void savepointsAreOfOneTransaction() {
    try (WriteTransaction tx = db.beginWrite();
        WriteTransaction other = db.beginWrite()) {
      Savepoint first = tx.savepoint();
      Savepoint second = tx.savepoint();
      tx.rollbackTo(first);
      assertThrows(IllegalArgumentException.class, () -> tx.rollbackTo(second));
      assertThrows(IllegalArgumentException.class, () -> other.rollbackTo(first));
      tx.rollbackTo(first);
    }
    db.close();
  }

  @Test
  void aSavepointForEachRowMakesFewFiles() throws IOException {
    TreeSettings settings = new TreeSettings(128, 10);
    reopen(0, new Tuning(512, 1 << 20, 1 << 14, 4096, 1 << 14, 2048, 3, 2, 3, 2, settings));
    try (WriteTransaction tx = db.beginWrite()) {
      for (int i = 0; i < 1500; i++) {
        tx.savepoint();
        byte[] key = "%06d".formatted(i).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        tx.put(table, key, new byte[10]);
      }
      tx.commit();
    }
    assertEquals(1500L, db.<Long>read(view -> view.count(table, KeyRange.all())));
    long trees;
    try (Stream<Path> files = Files.list(directory)) {
      trees = files.filter(file -> file.toString().endsWith(".tree")).count();
    }
    assertTrue(trees < 100, "tree files: " + trees);
    db.close();
  }
}
