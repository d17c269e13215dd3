package io.github.coppicedb.top;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.EntryKind;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Batches byte by byte, and what happens to bytes that are none. */
class BatchCodecTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void aBatchHasTheBytesOfTheFormat() {
    ArenaTop top = new ArenaTop(false);
    byte[] value = {9, 8};
    top.put(new byte[] {1}, 1, EntryKind.PUT, MemorySegment.ofArray(value), 0, 2);
    top.putTombstone(new byte[] {2, 3}, 2);
    top.maskRange(new byte[] {4}, new byte[] {5, 6});
    top.maskRange(new byte[] {7}, null);
    assertEquals(
        "04" + "000102" + "01" + "0908" + "010200" + "0203" + "030102" + "04" + "0506" + "030100"
            + "07",
        HexFormat.of().formatHex(encode(top)));
  }

  @Test
  void anEmptyBatchIsOneByte() {
    assertArrayEquals(new byte[1], encode(new ArenaTop(false)));
    ArenaTop into = new ArenaTop(false);
    ArenaTop.decode(MemorySegment.ofArray(new byte[1]), into);
    assertTrue(into.isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "'', no count",
    "0000, goes on",
    "01, no record",
    "0104000000, unknown kind",
    "01FF0000, kind below zero",
    "0101000155, tombstone with a value",
    "01020000, large without a reference",
    "01000100, key is missing",
    "0100000155AA, goes on behind the record",
    "01000001, value is missing",
    "010301010505, empty range",
    "010301010504, crossed range",
    "02000000, second record is missing",
    "FFFFFFFF07000000, too many records",
    "0100FFFFFFFF0700, too long a key",
    "010000FFFFFFFF07, too long a value"
  })
  void whatIsNoBatchIsRefusedAndChangesNothing(String hex, String reason) {
    ArenaTop into = new ArenaTop(false);
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThrows(
        IllegalArgumentException.class,
        () -> ArenaTop.decode(MemorySegment.ofArray(bytes), into),
        reason);
    assertTrue(into.isEmpty());
  }

  @Test
  void anyBytesAreABatchOrAreRefused() {
    System.out.println("seed " + seed);
    int sound = 0;
    for (int round = 0; round < 40_000; round++) {
      byte[] bytes = random.nextBoolean() ? noise() : damaged();
      ArenaTop into = new ArenaTop(random.nextBoolean());
      try {
        ArenaTop.decode(MemorySegment.ofArray(bytes), into);
        sound++;
      } catch (IllegalArgumentException refused) {
        assertTrue(into.isEmpty());
      }
      assertTrue(into.bytes() < 20_000);
    }
    assertTrue(sound > 0 && sound < 40_000);
  }

  private byte[] noise() {
    byte[] bytes = new byte[random.nextInt(40)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(8) == 0 ? random.nextInt(256) : random.nextInt(5));
    }
    return bytes;
  }

  private byte[] damaged() {
    ArenaTop top = new ArenaTop(false);
    for (int i = random.nextInt(6); i > 0; i--) {
      byte[] key = TopModel.key(random, 4, 6);
      if (random.nextInt(4) == 0) {
        top.maskRange(key, TopModel.key(random, 4, 6));
      } else {
        MemorySegment value = MemorySegment.ofArray(new byte[random.nextInt(300)]);
        top.put(key, key.length, EntryKind.PUT, value, 0, value.byteSize());
      }
    }
    byte[] bytes = encode(top);
    switch (random.nextInt(3)) {
      case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 2));
      case 1 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      default -> bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private static byte[] encode(ArenaTop top) {
    byte[] bytes = new byte[top.encodedBytes()];
    assertEquals(bytes.length, top.encodeTo(bytes, 0));
    return bytes;
  }
}
