package io.github.coppicedb.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of a batch, byte by byte. */
class BatchFormatTest {
  @ParameterizedTest
  @CsvSource({
    "0, 00",
    "1, 01",
    "127, 7F",
    "128, 8001",
    "300, AC02",
    "16383, FF7F",
    "16384, 808001",
    "2097151, FFFF7F",
    "2097152, 80808001",
    "268435456, 8080808001",
    "2147483647, FFFFFFFF07"
  })
  void numbersHaveOneForm(int number, String hex) {
    byte[] target = new byte[7];
    int end = BatchFormat.putVarint(target, 1, number);
    assertEquals(hex, HexFormat.of().withUpperCase().formatHex(target, 1, end));
    assertEquals(BatchFormat.varintBytes(number), end - 1);
    long read = BatchFormat.varint(MemorySegment.ofArray(target), 1);
    assertEquals(number, (int) read);
    assertEquals(end - 1, read >>> 32);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "80", "8000", "FFFFFFFF08", "FFFFFFFF87", "FFFFFFFFFF00", "80808080"})
  void otherFormsAreRefused(String hex) {
    MemorySegment payload = MemorySegment.ofArray(HexFormat.of().parseHex(hex));
    assertThrows(IllegalArgumentException.class, () -> BatchFormat.varint(payload, 0));
  }

  @Test
  void numbersNeverChange() {
    assertEquals(0, EntryKind.PUT);
    assertEquals(1, EntryKind.TOMBSTONE);
    assertEquals(2, EntryKind.LARGE);
    assertEquals(3, BatchFormat.MASK);
  }
}
