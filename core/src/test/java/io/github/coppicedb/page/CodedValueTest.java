package io.github.coppicedb.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.ByteArrays;
import io.github.coppicedb.format.CodedValue;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Values coded and put together again, what they then take, and bytes that are no coded value. */
final class CodedValueTest {
  private final ValueCoder coder = new ValueCoder();

  /** Codes a value against a base and checks that it comes back; returns the bytes, or -1. */
  private int roundTrip(byte[] base, byte[] value) {
    coder.begin(padded(base), 3, base.length);
    int coded = coder.code(padded(value), 3, value.length);
    if (coded >= 0) {
      byte[] bytes = Arrays.copyOf(coder.bytes(), coded);
      assertArrayEquals(value, decoded(bytes, base));
    }
    return coded;
  }

  private static byte[] padded(byte[] bytes) {
    byte[] padded = new byte[3 + bytes.length + ByteArrays.SLACK];
    System.arraycopy(bytes, 0, padded, 3, bytes.length);
    return padded;
  }

  private static byte[] decoded(byte[] coded, byte[] base) {
    MemorySegment s = MemorySegment.ofArray(coded);
    int used = Math.min(base.length, CodedValue.LONGEST_BASE);
    assertNull(CodedValue.problem(s, 0, coded.length, used));
    int length = CodedValue.length(s, 0, coded.length);
    byte[] window = Arrays.copyOf(Arrays.copyOf(base, used), used + length);
    assertEquals(length, CodedValue.decode(s, 0, coded.length, window, used));
    return Arrays.copyOfRange(window, used, used + length);
  }

  private static byte[] row(long number) {
    return ByteBuffer.allocate(64).putLong(number).array();
  }

  @Test
  void rowsOfOneLayoutTakeWhatIsDistinctAboutThem() {
    assertTrue(roundTrip(row(1), row(2)) <= 8);
    assertTrue(roundTrip(row(7), row(123_456_789)) <= 12);
  }

  @Test
  void textsOfOneFormTakeWhatIsDistinctAboutThem() {
    byte[] first = json(17, "alice", 33).getBytes(UTF_8);
    byte[] second = json(23_456, "bartholomew", 8).getBytes(UTF_8);
    assertTrue(roundTrip(first, second) < second.length / 2);
  }

  private static String json(int id, String name, int age) {
    return ("{\"id\":%d,\"name\":\"%s\",\"address\":{\"street\":\"\",\"city\":\"\"},"
            + "\"age\":%d,\"tags\":[]}")
        .formatted(id, name, age);
  }

  @Test
  void aLongValueIsCodedAlone() {
    byte[] value = "the quick brown fox jumps over the lazy dog; ".repeat(100).getBytes(UTF_8);
    int coded = roundTrip(new byte[0], value);
    assertTrue(coded > 0 && coded < 100);
  }

  @Test
  void whatSharesNothingIsLeftAsItIs() {
    Random random = new Random(5);
    byte[] base = new byte[100];
    byte[] value = new byte[100];
    random.nextBytes(base);
    random.nextBytes(value);
    assertEquals(-1, roundTrip(base, value));
    assertEquals(-1, roundTrip(base, new byte[0]));
    assertEquals(-1, roundTrip(base, new byte[] {1, 2, 3}));
    assertEquals(-1, roundTrip(base, new byte[CodedValue.MOST + 1]));
  }

  @Test
  void whatIsMarkedAsPlainIsTaken() {
    assertArrayEquals(new byte[] {4, 5}, decoded(new byte[] {0, 4, 5}, new byte[] {1}));
    assertArrayEquals(new byte[0], decoded(new byte[] {0}, new byte[] {1}));
  }

  @RepeatedTest(30)
  void anythingComesBack() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      byte[] base = bytes(random, new byte[] {1, 2});
      roundTrip(base, bytes(random, base));
    }
  }

  /** Returns pieces of another array, repeated bytes and new ones in turn. */
  private static byte[] bytes(Random random, byte[] other) {
    int length = random.nextInt(random.nextInt(20) == 0 ? 80_000 : 400);
    byte[] bytes = new byte[length];
    int at = 0;
    while (at < length) {
      int piece = Math.min(length - at, 1 + random.nextInt(random.nextBoolean() ? 8 : 500));
      switch (random.nextInt(4)) {
        case 0 -> Arrays.fill(bytes, at, at + piece, (byte) random.nextInt(3));
        case 1 -> {
          for (int i = at; i < at + piece; i++) {
            bytes[i] = (byte) random.nextInt();
          }
        }
        default -> {
          boolean isOther = random.nextBoolean() || at == 0;
          byte[] source = isOther ? other : bytes;
          int end = isOther ? other.length : at;
          if (end > 0) {
            int from = random.nextInt(end);
            piece = Math.min(piece, end - from);
            System.arraycopy(source, from, bytes, at, piece);
          }
        }
      }
      at += piece;
    }
    return bytes;
  }

  /** Any bytes: what the check lets pass is put together, and nothing is written elsewhere. */
  @RepeatedTest(10)
  void badBytesAreTold() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int sound = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] base = new byte[random.nextInt(40)];
      byte[] coded = new byte[random.nextInt(12)];
      random.nextBytes(coded);
      if (coded.length > 0 && random.nextInt(4) > 0) {
        coded[0] = (byte) random.nextInt(30);
      }
      MemorySegment s = MemorySegment.ofArray(coded);
      if (CodedValue.problem(s, 0, coded.length, base.length) == null) {
        sound++;
        decoded(coded, base);
      }
    }
    assertTrue(sound > 0);
  }

  @Test
  void aCutOrLongerValueIsTold() {
    byte[] base = row(1);
    coder.begin(base, 0, base.length);
    int coded = coder.code(padded(row(99)), 3, 64);
    byte[] longer = Arrays.copyOf(coder.bytes(), coded + 1);
    MemorySegment s = MemorySegment.ofArray(longer);
    for (int cut = 0; cut < coded; cut++) {
      assertNotNull(CodedValue.problem(s, 0, cut, base.length));
    }
    assertNotNull(CodedValue.problem(s, 0, coded + 1, base.length));
    // Without its base it points before the window.
    assertNotNull(CodedValue.problem(s, 0, coded, 0));
  }
}
