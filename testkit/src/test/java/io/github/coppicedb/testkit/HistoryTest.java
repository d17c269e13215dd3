package io.github.coppicedb.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The text forms of histories, and ranges. */
final class HistoryTest {
  @Test
  void textFormIsReadBack() {
    for (int seed = 0; seed < 50; seed++) {
      History history = HistoryGenerator.withCrashes(seed, 300);
      assertEquals(history, History.parse("# a comment\n\n" + history));
    }
  }

  @Test
  void sameSeedGivesSameHistory() {
    assertEquals(HistoryGenerator.withCrashes(5, 100), HistoryGenerator.withCrashes(5, 100));
  }

  @Test
  void blobsAreReadPieceByPiece() {
    assertArrayEquals(new byte[0], Blob.decode("-"));
    assertArrayEquals(new byte[] {0, 1, 1, 2}, Blob.decode("00+01*2+02"));
    assertEquals(1000, Blob.decode("r1000.3").length);
    assertEquals("00ff", Blob.encode(new byte[] {0, -1}));
  }

  @Test
  void rangesAgreeWithTheirKeyRanges() {
    NavigableMap<byte[], byte[]> map = new TreeMap<>(Arrays::compareUnsigned);
    List<String> keys = List.of("-", "00", "0000", "61", "6100", "62", "ff", "ffff", "ffff00");
    keys.forEach(key -> map.put(Blob.decode(key), new byte[0]));
    List<RangeSpec> ranges = HistoryTest.ranges(keys);
    for (RangeSpec range : ranges) {
      NavigableMap<byte[], byte[]> within = range.within(map);
      for (byte[] key : map.keySet()) {
        assertEquals(range.toKeyRange().contains(key), range.contains(key), range::toString);
        assertEquals(range.contains(key), within.containsKey(key), range::toString);
      }
    }
  }

  @Test
  void rangesMeetWhenTheirIntersectionIsNotEmpty() {
    List<RangeSpec> ranges = ranges(List.of("-", "61", "6100", "62", "ff"));
    for (RangeSpec one : ranges) {
      for (RangeSpec other : ranges) {
        boolean empty = one.toKeyRange().intersect(other.toKeyRange()).isEmpty();
        assertEquals(!empty, one.meets(other), () -> one + " and " + other);
      }
    }
  }

  @Test
  void directionOfRangeTurnsTheMap() {
    NavigableMap<byte[], byte[]> map = new TreeMap<>(Arrays::compareUnsigned);
    map.put(new byte[] {1}, new byte[0]);
    map.put(new byte[] {2}, new byte[0]);
    assertArrayEquals(new byte[] {2}, RangeSpec.parse("(,)!").within(map).firstKey());
    assertTrue(RangeSpec.parse("(,)!").toKeyRange().isReversed());
    assertFalse(RangeSpec.parse("p01").toKeyRange().isReversed());
  }

  private static List<RangeSpec> ranges(List<String> keys) {
    List<RangeSpec> ranges = new java.util.ArrayList<>();
    for (String low : keys) {
      ranges.add(RangeSpec.parse("p" + low));
      ranges.add(RangeSpec.parse("(" + low + ",)"));
      ranges.add(RangeSpec.parse("[," + low + "]!"));
      for (String high : keys) {
        ranges.add(RangeSpec.parse("[" + low + "," + high + ")"));
        ranges.add(RangeSpec.parse("(" + low + "," + high + "]"));
      }
    }
    return ranges;
  }
}
