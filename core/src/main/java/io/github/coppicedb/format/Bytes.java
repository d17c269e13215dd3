package io.github.coppicedb.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Little-endian numbers at any address of a segment: with {@link ByteArrays}, the only place that
 * knows the byte order of the files. Bounds are checked by the segment.
 */
public final class Bytes {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Bytes() {}

  /** Reads an unsigned byte. */
  public static int u8(MemorySegment segment, long offset) {
    return segment.get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
  }

  /** Reads an unsigned 16-bit number. */
  public static int u16(MemorySegment segment, long offset) {
    return segment.get(SHORT, offset) & 0xFFFF;
  }

  /** Reads a 32-bit number. */
  public static int i32(MemorySegment segment, long offset) {
    return segment.get(INT, offset);
  }

  /** Reads an unsigned 32-bit number. */
  public static long u32(MemorySegment segment, long offset) {
    return segment.get(INT, offset) & 0xFFFF_FFFFL;
  }

  /** Reads a 64-bit number. */
  public static long i64(MemorySegment segment, long offset) {
    return segment.get(LONG, offset);
  }

  /** Copies bytes from a segment into an array. */
  public static void copy(MemorySegment from, long offset, byte[] to, int at, int length) {
    MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, to, at, length);
  }

  /** Copies bytes from an array into a segment. */
  public static void copy(byte[] from, int at, MemorySegment to, long offset, int length) {
    MemorySegment.copy(from, at, to, ValueLayout.JAVA_BYTE, offset, length);
  }

  /** Returns 64-bit numbers as the bytes that stand for them. */
  public static byte[] of(long[] numbers) {
    byte[] bytes = new byte[Math.multiplyExact(numbers.length, Long.BYTES)];
    MemorySegment to = MemorySegment.ofArray(bytes);
    MemorySegment from = MemorySegment.ofArray(numbers);
    MemorySegment.copy(from, ValueLayout.JAVA_LONG, 0, to, LONG, 0, numbers.length);
    return bytes;
  }

  /** Writes a byte. */
  public static void put8(MemorySegment segment, long offset, int value) {
    segment.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
  }

  /** Writes a 16-bit number. */
  public static void put16(MemorySegment segment, long offset, int value) {
    segment.set(SHORT, offset, (short) value);
  }

  /** Writes a 32-bit number. */
  public static void put32(MemorySegment segment, long offset, int value) {
    segment.set(INT, offset, value);
  }

  /** Writes a 64-bit number. */
  public static void put64(MemorySegment segment, long offset, long value) {
    segment.set(LONG, offset, value);
  }
}
