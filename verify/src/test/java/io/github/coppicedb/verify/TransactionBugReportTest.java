package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.coppicedb.ConflictException;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import io.github.coppicedb.testkit.DatabaseFixture;
import io.github.coppicedb.testkit.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bug reports about transactions beside each other (docs/testing.md). */
final class TransactionBugReportTest {
  private static final byte[] A3 = Keys.text("a3");
  private static final byte[] B3 = Keys.text("b3");

  @Test
  void br51WriteSkewIsWhatSnapshotIsolationAllows() {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      fixture.database().write(tx -> new Writer(tx, table, Form.ARRAYS).putTexts("a1", "b1", "b2"));
      try (WriteTransaction first = fixture.database().beginWrite();
          WriteTransaction second = fixture.database().beginWrite()) {
        int seenByFirst = new Reader(first, table).keys(prefix("a")).size();
        int seenBySecond = new Reader(second, table).keys(prefix("b")).size();
        first.put(table, B3, Keys.number(seenByFirst));
        second.put(table, A3, Keys.number(seenBySecond));
        second.commit();
        first.commit();
      }
      assertArrayEquals(
          Keys.number(1), fixture.database().read(snapshot -> snapshot.get(table, B3)));
      assertArrayEquals(
          Keys.number(2), fixture.database().read(snapshot -> snapshot.get(table, A3)));
    }
  }

  @Test
  void br51RangeDeleteMeetsAnInsertIntoTheRange() {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      try (WriteTransaction clears = fixture.database().beginWrite();
          WriteTransaction inserts = fixture.database().beginWrite()) {
        clears.deleteRange(table, prefix("a"));
        inserts.put(table, A3, A3);
        inserts.commit();
        assertThrows(ConflictException.class, clears::commit);
      }
      fixture.database().write(tx -> tx.deleteRange(table, prefix("a")));
      List<String> keys = fixture.database().read(snapshot -> new Reader(snapshot, table).keys());
      assertEquals(List.of(), keys);
    }
  }

  private static KeyRange prefix(String text) {
    return KeyRange.prefix(Keys.text(text));
  }
}
