package io.github.coppicedb.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ByteArraysTest {
  @Test
  void numbersAreThoseOfSegments() {
    byte[] bytes = new byte[20];
    MemorySegment segment = MemorySegment.ofArray(bytes);
    ByteArrays.put16(bytes, 1, 0xFEDC);
    ByteArrays.put32(bytes, 3, 0xFEDCBA98);
    ByteArrays.put64(bytes, 7, 0xFEDCBA9876543210L);
    assertEquals(0xFEDC, Bytes.u16(segment, 1));
    assertEquals(0xFEDC, ByteArrays.u16(bytes, 1));
    assertEquals(0xFEDCBA98, Bytes.i32(segment, 3));
    assertEquals(0xFEDCBA98, ByteArrays.i32(bytes, 3));
    assertEquals(0xFEDCBA9876543210L, Bytes.i64(segment, 7));
    assertEquals(0xFEDCBA9876543210L, ByteArrays.i64(bytes, 7));
    assertEquals(Checksum.crc32c(segment, 2, 9), Checksum.crc32c(bytes, 2, 9));
  }

  @Test
  void copiesOfAnyLength() {
    for (int length = 0; length < 50; length++) {
      for (int behind = 0; behind < 20; behind++) {
        byte[] from = new byte[3 + length + behind];
        for (int i = 0; i < from.length; i++) {
          from[i] = (byte) (i + 1);
        }
        byte[] to = new byte[5 + length + ByteArrays.SLACK + 1];
        to[4] = 99;
        to[to.length - 1] = 98;
        ByteArrays.copy(from, 3, to, 5, length);
        assertArrayEquals(
            Arrays.copyOfRange(from, 3, 3 + length), Arrays.copyOfRange(to, 5, 5 + length));
        assertEquals(99, to[4]);
        assertEquals(98, to[to.length - 1]);
      }
    }
  }
}
