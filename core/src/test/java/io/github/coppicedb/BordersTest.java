package io.github.coppicedb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.DirectoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ends of what the interface allows. */
final class BordersTest {
  @TempDir private Path directory;

  private Database open() {
    DatabaseOptions options = new DatabaseOptions(Durability.PROCESS_SAFE, true, 1 << 20, 0);
    return Database.open(DirectoryStorage.open(directory, true), options, Tuning.of(options));
  }

  private static byte[] bytes(int length, int fill) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) fill);
    return bytes;
  }

  private static long count(Database db, Table table) {
    return db.read(view -> view.count(table, KeyRange.all()));
  }

  @Test
  void endsOfRangesMayBeLongerThanKeys() throws IOException {
    byte[] longest = bytes(Limits.MAX_KEY_BYTES, 5);
    byte[] beyond = bytes(Limits.MAX_KEY_BYTES + 4000, 5);
    Path copy = directory.resolve("copy");
    Files.createDirectory(copy);
    try (Database db = open()) {
      Table table = db.table("t");
      db.write(
          tx -> {
            tx.put(table, bytes(3, 5), new byte[] {1});
            tx.put(table, longest, new byte[] {2});
            tx.put(table, bytes(1, 6), new byte[] {3});
          });
      db.write(tx -> tx.deleteRange(table, KeyRange.closedOpen(bytes(3, 5), beyond)));
      db.write(tx -> tx.deleteRange(table, KeyRange.closed(beyond, bytes(70_000, 6))));
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          if (!file.endsWith("LOCK")) {
            Files.copy(file, copy.resolve(file.getFileName()));
          }
        }
      }
      assertEquals(0, count(db, table));
    }
    for (Path path : new Path[] {copy, directory}) {
      try (Database db = Database.open(path)) {
        Table table = db.table("t");
        assertNull(db.read(view -> view.get(table, longest)));
        assertEquals(0, count(db, table));
      }
    }
  }

  @Test
  void cursorsKeepTheirValueOverARollback() {
    try (Database db = open();
        WriteTransaction tx = db.beginWrite()) {
      Table table = db.table("t");
      Table other = db.table("u");
      Savepoint savepoint = tx.savepoint();
      tx.put(other, new byte[] {1}, bytes(30, 1));
      Cursor cursor = tx.cursor(other);
      assertTrue(cursor.first());
      tx.rollbackTo(savepoint);
      tx.put(table, new byte[] {2}, bytes(30, 2));
      assertArrayEquals(bytes(30, 1), cursor.value());
    }
  }

  @Test
  void compactMakesOneTreeOfARowOfSmallOnes() {
    try (Database db = open()) {
      Table table = db.table("t");
      for (int i = 0; i < 4; i++) {
        byte[] key = {(byte) i};
        db.write(tx -> tx.put(table, key, key));
        db.drain();
      }
      db.compact();
      LevelStats base = db.stats().levels().getLast();
      assertEquals(1, base.trees());
      assertEquals(4, count(db, table));
    }
  }
}
