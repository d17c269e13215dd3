package io.github.coppicedb.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CommonBytesTest {
  @Test
  void countsToTheFirstDifferenceAndNoFurther() {
    for (int limit = 0; limit < 40; limit++) {
      for (int differs = 0; differs <= limit; differs++) {
        byte[] a = new byte[3 + limit];
        byte[] b = new byte[5 + limit];
        if (differs < limit) {
          b[5 + differs] = (byte) 0x80;
        }
        byte[] c = Arrays.copyOf(b, b.length + limit % 11);
        assertEquals(differs, CommonBytes.count(a, 3, c, 5, limit));
        assertEquals(differs, CommonBytes.count(c, 5, Arrays.copyOf(a, a.length + 9), 3, limit));
        MemorySegment segment = MemorySegment.ofArray(a);
        assertEquals(differs, CommonBytes.count(segment, 3, b, 5, limit));
        assertEquals(differs, CommonBytes.count(segment, 3, MemorySegment.ofArray(b), 5, limit));
      }
    }
  }
}
