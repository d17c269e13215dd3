package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.KeyRange;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Bug reports about seeks, ranges and directions (docs/testing.md). */
final class SeekBugReportTest {
  private static final String[] ENDS_OF_BYTES = {"fe", "feff", "ff", "ff00", "ffff", "ffff00"};

  @Test
  void br09ReverseScanFromAboveTheGreatestKey() {
    FourStates.check(
        writer -> putBytes(writer, "02", "04", "06", "08"),
        reader -> {
          KeyRange threeToNine = KeyRange.closed(Keys.hex("03"), Keys.hex("09"));
          assertEquals(List.of("08", "06", "04"), reader.keys(threeToNine.reversed()));
          KeyRange upToNine = KeyRange.all().atMost(Keys.hex("09"));
          assertEquals(List.of("08", "06", "04", "02"), reader.keys(upToNine.reversed()));
          try (Cursor cursor = reader.cursor()) {
            assertTrue(cursor.seekFloor(Keys.hex("09")));
            assertArrayEquals(Keys.hex("08"), cursor.key());
            assertFalse(cursor.seek(Keys.hex("09")));
            assertTrue(cursor.previous());
            assertArrayEquals(Keys.hex("08"), cursor.key());
          }
        });
  }

  @Test
  void br09ReverseScanOfOneKey() {
    FourStates.check(
        writer -> putBytes(writer, "01"),
        reader -> {
          KeyRange upToThree = KeyRange.all().atMost(Keys.hex("03"));
          assertEquals(List.of("01"), reader.keys(upToThree.reversed()));
        });
  }

  @Test
  void br11PrefixesThatHaveNoSuccessor() {
    FourStates.check(
        writer -> putBytes(writer, ENDS_OF_BYTES),
        reader -> {
          assertEquals(List.of("ff", "ff00", "ffff", "ffff00"), reader.keys(prefix("ff")));
          assertEquals(List.of("ffff", "ffff00"), reader.keys(prefix("ffff")));
          assertEquals(List.of(ENDS_OF_BYTES), reader.keys(prefix("")));
        });
  }

  @Test
  void br11DeleteByPrefix() {
    FourStates.check(
        writer -> putBytes(writer, ENDS_OF_BYTES),
        writer -> writer.deleteRange(prefix("ff")),
        reader -> assertEquals(List.of("fe", "feff"), reader.keys()));
  }

  @Test
  void br13CursorComesBackFromBothEnds() {
    FourStates.check(
        writer -> writer.putTexts("k08", "k11"), writer -> {}, SeekBugReportTest::comeBack);
    FourStates.check(writer -> writer.putTexts("k08", "k11"), SeekBugReportTest::comeBack);
    FourStates.check(
        writer -> writer.putTexts("k11"),
        writer -> writer.putTexts("k08"),
        SeekBugReportTest::comeBack);
  }

  private static void comeBack(Reader reader) {
    KeyRange range = KeyRange.closedOpen(Keys.text("k00"), Keys.text("k09"));
    byte[] only = Keys.text("k08");
    try (Cursor cursor = reader.view().cursor(reader.table(), range)) {
      assertTrue(cursor.first());
      assertArrayEquals(only, cursor.key());
      assertFalse(cursor.next());
      assertTrue(cursor.last());
      assertArrayEquals(only, cursor.key());
      assertFalse(cursor.previous());
      assertTrue(cursor.first());
      assertArrayEquals(only, cursor.key());
    }
  }

  @Test
  void br15TwoCursorsThatMeet() {
    FourStates.check(
        writer -> {
          for (int i = 0; i < 6; i++) {
            writer.put(Keys.number(i));
          }
        },
        reader -> {
          try (Cursor front = reader.cursor();
              Cursor back = reader.cursor()) {
            for (int i = 0; i < 3; i++) {
              assertTrue(front.next());
              assertArrayEquals(Keys.number(i), front.key());
              assertTrue(back.previous());
              assertArrayEquals(Keys.number(5 - i), back.key());
            }
            assertTrue(front.next());
            assertArrayEquals(back.key(), front.key());
          }
        });
  }

  @Test
  void br17WalksOverTwoKeys() {
    FourStates.check(
        writer -> {
          writer.put(Keys.number(0));
          writer.put(Keys.number(1));
        },
        reader -> {
          assertWalk(reader, "p1 p0 p-");
          assertWalk(reader, "n0 p- n0 n1 n-");
          assertWalk(reader, "n0 n1 p0 n1");
        });
  }

  /** Does moves, n = next and p = previous, each with the key that it must come to. */
  private static void assertWalk(Reader reader, String moves) {
    try (Cursor cursor = reader.cursor()) {
      for (String move : moves.split(" ", -1)) {
        boolean moved = move.startsWith("n") ? cursor.next() : cursor.previous();
        assertEquals(!move.endsWith("-"), moved, moves);
        if (moved) {
          assertArrayEquals(Keys.number(move.charAt(1) - '0'), cursor.key(), moves);
        }
      }
    }
  }

  @Test
  void br19SeeksToShortPrefixesOfHashes() throws NoSuchAlgorithmException {
    MessageDigest sha = MessageDigest.getInstance("SHA-1");
    NavigableSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    for (int n = 1; n <= 60; n++) {
      for (int i = 0; i < 20; i++) {
        keys.add(sha.digest(Keys.text("" + keys.size())));
      }
      if (n < 8 || n % 10 == 0) {
        FourStates.check(writer -> keys.forEach(writer::put), reader -> assertSeeks(reader, keys));
      }
    }
  }

  private static void assertSeeks(Reader reader, NavigableSet<byte[]> keys) {
    try (Cursor cursor = reader.cursor()) {
      for (int prefix = 0; prefix < 256 + 65_536; prefix += prefix < 256 ? 1 : 97) {
        byte[] sought =
            prefix < 256
                ? new byte[] {(byte) prefix}
                : new byte[] {(byte) ((prefix - 256) >> 8), (byte) prefix};
        byte[] expected = keys.ceiling(sought);
        assertEquals(expected != null, cursor.seek(sought));
        if (expected != null) {
          assertArrayEquals(expected, cursor.key());
        }
      }
    }
  }

  @Test
  void br21DescendingWalkSeesTheNewestVersion() {
    FourStates.check(
        writer -> {
          writer.putTexts("j", "l");
          for (int version = 1; version <= 3; version++) {
            writer.put(Keys.text("k"), Keys.number(version));
          }
        },
        reader -> {
          assertEquals(Keys.shownTexts("l", "k", "j"), reader.keys(KeyRange.all().reversed()));
          reader.assertValue(Keys.number(3), Keys.text("k"));
          try (Cursor cursor = reader.cursor()) {
            assertTrue(cursor.seekFloor(Keys.text("k")));
            assertArrayEquals(Keys.number(3), cursor.value());
          }
        });
  }

  @Test
  void br21DescendingWalkAfterPutDeletePut() {
    FourStates.check(
        writer -> {
          writer.putTexts("j", "k", "l", "m");
          writer.delete(Keys.text("k"));
          writer.put(Keys.text("k"));
          writer.delete(Keys.text("m"));
        },
        reader -> assertEquals(Keys.shownTexts("j", "k", "l"), reader.keys()));
  }

  @Test
  void br23BackwardsOverEntriesOfOneKey() {
    // Without duplicates, a user's second order is a suffix of the key.
    FourStates.check(
        writer -> writer.putTexts("k1a", "k2a", "k2b", "k2c", "k3a"),
        reader -> {
          KeyRange upToSecond = KeyRange.all().lessThan(Keys.text("k3"));
          assertEquals(
              Keys.shownTexts("k2c", "k2b", "k2a", "k1a"), reader.keys(upToSecond.reversed()));
        });
  }

  private static KeyRange prefix(String digits) {
    return KeyRange.prefix(Keys.hex(digits));
  }

  private static void putBytes(Writer writer, String... keys) {
    for (String key : keys) {
      writer.put(Keys.hex(key));
    }
  }
}
