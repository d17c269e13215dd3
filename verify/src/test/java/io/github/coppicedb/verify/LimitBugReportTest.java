package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Limits;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import io.github.coppicedb.testkit.Blob;
import io.github.coppicedb.testkit.DatabaseFixture;
import io.github.coppicedb.testkit.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bug reports about keys and values at their limits (docs/testing.md). */
final class LimitBugReportTest {
  private static final byte[] KEY = Keys.text("k");
  private static final byte[] EMPTY = {};
  private static final int[] LONG_VALUES = {65_535, 65_536, 65_537, 1 << 20, (16 << 20) + 1};

  @ParameterizedTest
  @ValueSource(
      ints = {255, 256, 511, 512, 1023, 1024, 4095, 4096, 4097, 65_535, Limits.MAX_KEY_BYTES})
  void br25LongKeysAreComparedToTheirEnd(int length) {
    byte[] other = Keys.repeat('0', length);
    other[length - 1] = '1';
    FourStates.check(
        writer -> writer.put(Keys.repeat('0', length)),
        reader -> {
          reader.assertValue(EMPTY, Keys.repeat('0', length));
          reader.assertAbsent(other);
          reader.assertAbsent(Keys.repeat('0', length - 1));
          if (length < Limits.MAX_KEY_BYTES) {
            reader.assertAbsent(Keys.repeat('0', length + 1));
          }
        });
  }

  @Test
  void br27EmptyValueIsAValue() {
    FourStates.check(
        writer -> {
          writer.put(KEY, EMPTY);
          writer.put(EMPTY, EMPTY);
        },
        reader -> {
          reader.assertValue(EMPTY, KEY);
          reader.assertValue(EMPTY, EMPTY);
          assertEquals(List.of("", Keys.shown(KEY)), reader.keys());
        });
  }

  @Test
  void br27ConditionalChangesOfAnEmptyValue() {
    FourStates.check(
        writer -> writer.put(KEY, EMPTY),
        writer -> {
          WriteTransaction tx = writer.transaction();
          assertFalse(tx.putIfAbsent(writer.table(), KEY, Keys.text("z")));
          writer.reader().assertValue(EMPTY, KEY);
          assertFalse(tx.compareAndSet(writer.table(), KEY, Keys.text("x"), Keys.text("y")));
          assertTrue(tx.compareAndSet(writer.table(), KEY, EMPTY, Keys.text("q")));
        },
        reader -> reader.assertValue(Keys.text("q"), KEY));
  }

  @Test
  void br27DeleteOfAnEmptyValue() {
    FourStates.check(
        writer -> writer.put(KEY, EMPTY),
        writer -> writer.delete(KEY),
        reader -> assertEquals(List.of(), reader.keys()));
  }

  @Test
  void br29LongValuesSurviveACrash() {
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      for (int length : LONG_VALUES) {
        fixture.database().write(tx -> tx.put(table, keyOf(length), valueOf(length)));
      }
      fixture.powerCut(29);
      assertLongValues(fixture);
      fixture.database().drain();
      assertLongValues(fixture);
      fixture.reopen();
      assertLongValues(fixture);
    }
  }

  private static void assertLongValues(DatabaseFixture fixture) {
    try (Snapshot snapshot = fixture.database().snapshot()) {
      Reader reader = new Reader(snapshot, fixture.table("t"));
      for (int length : LONG_VALUES) {
        reader.assertValue(valueOf(length), keyOf(length));
      }
    }
  }

  /** Returns a key that begins with the length and is as long as the value, up to the limit. */
  private static byte[] keyOf(int length) {
    byte[] key = Keys.repeat('k', Math.min(length, Limits.MAX_KEY_BYTES));
    System.arraycopy(Keys.number(length), 0, key, 0, Integer.BYTES);
    return key;
  }

  private static byte[] valueOf(int length) {
    return Blob.decode("r%d.%d".formatted(length, length));
  }
}
