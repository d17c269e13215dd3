package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.coppicedb.Database;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import io.github.coppicedb.testkit.DatabaseFixture;
import io.github.coppicedb.testkit.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bug reports about deletes that come back and about range deletes (docs/testing.md). */
final class DeleteBugReportTest {
  private static final byte[] A = Keys.text("a");
  private static final byte[] B = Keys.text("b");
  private static final byte[] C = Keys.text("c");
  private static final byte[] VALUE = new byte[8];

  @Test
  void br31DeletedKeysStayDeletedThroughCompaction() {
    int count = 5000;
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      for (String letter : List.of("A", "B")) {
        fixture.database().write(tx -> putMany(new Writer(tx, table, Form.ARRAYS), letter, count));
      }
      fixture.database().drain();
      KeyRange all = KeyRange.prefix(Keys.text("B"));
      for (int i = 0; i < count; i++) {
        byte[] key = Keys.text("B%06d".formatted(i));
        fixture.database().write(tx -> tx.delete(table, key));
      }
      assertEquals(0, count(fixture.database(), all));
      fixture.database().drain();
      assertEquals(0, count(fixture.database(), all));
      fixture.database().compact();
      assertEquals(0, count(fixture.database(), all));
      fixture.reopen();
      assertEquals(0, count(fixture.database(), all));
      assertEquals(count, count(fixture.database(), KeyRange.all()));
    }
  }

  private static void putMany(Writer writer, String letter, int count) {
    for (int i = 0; i < count; i++) {
      writer.put(Keys.text("%s%06d".formatted(letter, i)), VALUE);
    }
  }

  private static long count(Database database, KeyRange range) {
    return database.read(snapshot -> snapshot.count(database.table("t"), range));
  }

  @Test
  void br33RangeDeletesWithASnapshotBetween() {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Database database = fixture.database();
      Table table = fixture.table("t");
      database.write(tx -> tx.put(table, A, VALUE));
      database.drain();
      database.compact();
      database.write(tx -> tx.deleteRange(table, KeyRange.closedOpen(B, C)));
      try (Snapshot between = database.snapshot()) {
        database.write(tx -> tx.deleteRange(table, KeyRange.closedOpen(A, B)));
        database.drain();
        database.compact();
        new Reader(between, table).assertValue(VALUE, A);
        assertNull(database.read(snapshot -> snapshot.get(table, A)));
      }
      fixture.reopen();
      assertEquals(0, count(fixture.database(), KeyRange.all()));
    }
  }

  @Test
  void br35RangeDeleteThenPutsInOneTransaction() {
    FourStates.check(
        writer -> writer.putTexts("a0", "a5", "b"),
        writer -> {
          writer.deleteRange(KeyRange.closedOpen(A, B));
          writer.putTexts("a1", "a2", "a3");
        },
        reader -> assertEquals(Keys.shownTexts("a1", "a2", "a3", "b"), reader.keys()));
  }

  @Test
  void br35RangeDeleteBetweenPutsOfOneTransaction() {
    FourStates.check(
        writer -> writer.putTexts("a0", "a5", "b"),
        writer -> {
          writer.putTexts("a1", "a9");
          writer.deleteRange(KeyRange.closed(A, Keys.text("a5")));
          writer.putTexts("a2");
        },
        reader -> assertEquals(Keys.shownTexts("a2", "a9", "b"), reader.keys()));
  }

  @Test
  void br37ClearedTableStaysEmpty() {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      fixture.database().write(tx -> putMany(new Writer(tx, table, Form.ARRAYS), "k", 1000));
      fixture.database().write(tx -> tx.deleteRange(table, KeyRange.all()));
      assertEquals(0, count(fixture.database(), KeyRange.all()));
      fixture.reopen();
      assertEquals(0, count(fixture.database(), KeyRange.all()));
      fixture.powerCut(37);
      assertEquals(0, count(fixture.database(), KeyRange.all()));
    }
  }

  @Test
  void br37ClearThenOnePut() {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      fixture.database().write(tx -> putMany(new Writer(tx, table, Form.ARRAYS), "k", 1000));
      fixture.database().write(tx -> tx.deleteRange(table, KeyRange.all()));
      fixture.database().write(tx -> tx.put(table, A, VALUE));
      fixture.powerCut(38);
      assertEquals(1, count(fixture.database(), KeyRange.all()));
      fixture.database().drain();
      fixture.kill();
      assertEquals(1, count(fixture.database(), KeyRange.all()));
    }
  }
}
