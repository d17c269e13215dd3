package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import io.github.coppicedb.testkit.DatabaseFixture;
import io.github.coppicedb.testkit.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Bug reports about cursors that move while data changes (docs/testing.md). */
final class CursorBugReportTest {
  private static final byte[] HUNDRED = new byte[100];

  @Test
  void br01DeletingAtTheCursorVisitsEveryKey() {
    FourStates.check(
        writer -> {
          putNumbers(writer, 10);
          assertEquals(10, deleteAll(writer, true));
        },
        reader -> assertEquals(List.of(), reader.keys()));
  }

  @Test
  void br01KeysThatWereThereBefore() {
    FourStates.check(
        writer -> putNumbers(writer, 10),
        writer -> {
          writer.put(Keys.number(10), HUNDRED);
          assertEquals(11, deleteAll(writer, true));
        },
        reader -> assertEquals(List.of(), reader.keys()));
  }

  @Test
  void br01FourKeysBackwards() {
    FourStates.check(
        writer -> writer.putTexts("a", "b", "c", "d"),
        writer -> assertEquals(4, deleteAll(writer, false)),
        reader -> assertEquals(List.of(), reader.keys()));
  }

  @Test
  void br03CursorSeesThePutsOfItsTransaction() {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      Random random = new Random(3);
      try (WriteTransaction tx = fixture.database().beginWrite();
          Cursor old = tx.cursor(table)) {
        for (int i = 0; i < 4000; i++) {
          if (i > 0 && (i < 200 || i % 50 == 0)) {
            compareWithFreshCursor(tx, table, old, Keys.number(random.nextInt(i)));
          }
          byte[] key = Keys.number(i);
          tx.put(table, key, key);
          tx.put(table, Arrays.copyOf(key, key.length + 1), key);
        }
        tx.commit();
      }
    }
  }

  private static void compareWithFreshCursor(
      WriteTransaction tx, Table table, Cursor old, byte[] sought) {
    try (Cursor fresh = tx.cursor(table)) {
      assertTrue(old.last() && fresh.last());
      assertArrayEquals(fresh.key(), old.key());
      assertTrue(old.first() && fresh.first());
      assertArrayEquals(fresh.key(), old.key());
      assertTrue(old.seek(sought) && fresh.seek(sought));
      assertArrayEquals(fresh.key(), old.key());
    }
  }

  @Test
  void br05DeletingByTheKeyThatTheCursorReturned() {
    FourStates.check(
        writer -> writer.putTexts("one", "two", "three", "four"),
        writer -> {
          try (Cursor cursor = writer.reader().cursor()) {
            while (cursor.next()) {
              writer.deleteKeyOf(cursor);
            }
          }
        },
        reader -> assertEquals(List.of(), reader.keys()));
  }

  @Test
  void br05PuttingByTheKeyThatTheCursorReturned() {
    FourStates.check(
        writer -> writer.putTexts("one", "two", "three", "four"),
        writer -> {
          try (Cursor cursor = writer.reader().cursor()) {
            while (cursor.next()) {
              writer.transaction().put(writer.table(), cursor.keySegment(), cursor.keySegment());
            }
          }
        },
        reader -> {
          assertEquals(Keys.shownTexts("four", "one", "three", "two"), reader.keys());
          reader.assertValue(Keys.text("two"), Keys.text("two"));
        });
  }

  @Test
  void br07SnapshotCursorBesideDeletesOfWhatItPassed() throws InterruptedException {
    int keys = 10_000;
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      fixture.database().write(tx -> putNumbers(new Writer(tx, table, Form.ARRAYS), keys));
      int seen = 0;
      try (ExecutorService pool = Executors.newFixedThreadPool(20);
          Snapshot snapshot = fixture.database().snapshot();
          Cursor cursor = snapshot.cursor(table)) {
        while (cursor.next()) {
          byte[] key = cursor.key();
          assertArrayEquals(Keys.number(seen), key);
          pool.execute(() -> fixture.database().write(tx -> tx.delete(table, key)));
          seen++;
        }
      }
      assertEquals(keys, seen);
      try (Snapshot after = fixture.database().snapshot()) {
        assertEquals(List.of(), new Reader(after, table).keys());
      }
    }
  }

  private static void putNumbers(Writer writer, int count) {
    for (int i = 0; i < count; i++) {
      writer.put(Keys.number(i), HUNDRED);
    }
  }

  private static int deleteAll(Writer writer, boolean upwards) {
    int deleted = 0;
    try (Cursor cursor = writer.reader().cursor()) {
      boolean more = upwards ? cursor.first() : cursor.last();
      while (more) {
        cursor.delete();
        deleted++;
        more = upwards ? cursor.next() : cursor.previous();
      }
    }
    return deleted;
  }
}
