package io.github.coppicedb.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Numbers at any index of a byte array, and copies of a few bytes: what {@link Bytes} is for
 * segments, for loops that know that their bytes are in heap. Little-endian, plain access; bounds
 * are checked by the array.
 */
public final class ByteArrays {
  /** A target of {@link #copy} has as many bytes more than are copied. */
  public static final int SLACK = 4 * Long.BYTES;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle ORDERED_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private ByteArrays() {}

  /** Reads an unsigned 16-bit number. */
  public static int u16(byte[] bytes, int at) {
    return (short) SHORT.get(bytes, at) & 0xFFFF;
  }

  /** Writes a 16-bit number. */
  public static void put16(byte[] bytes, int at, int value) {
    SHORT.set(bytes, at, (short) value);
  }

  /** Reads a 32-bit number. */
  public static int i32(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  /** Writes a 32-bit number. */
  public static void put32(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }

  /** Reads a 64-bit number. */
  public static long i64(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  /** Writes a 64-bit number. */
  public static void put64(byte[] bytes, int at, long value) {
    LONG.set(bytes, at, value);
  }

  /** Reads eight bytes as a number whose unsigned order is the order of the bytes. */
  public static long ordered64(byte[] bytes, int at) {
    return (long) ORDERED_LONG.get(bytes, at);
  }

  /** Returns whether as many bytes are the same; tells soon where the first or last ones differ. */
  public static boolean equal(byte[] a, int at, byte[] b, int otherAt, int length) {
    int last = length - Long.BYTES;
    if (last >= 0
        && ((long) LONG.get(a, at) != (long) LONG.get(b, otherAt)
            || (long) LONG.get(a, at + last) != (long) LONG.get(b, otherAt + last))) {
      return false;
    }
    return Arrays.equals(a, at, at + length, b, otherAt, otherAt + length);
  }

  /**
   * Copies bytes from one array to another, few of them by words, which is less than a call costs.
   * What stands behind them in the target, up to {@link #SLACK} bytes, is lost.
   */
  public static void copy(byte[] from, int at, byte[] to, int toAt, int length) {
    if (length > SLACK || at + SLACK > from.length) {
      System.arraycopy(from, at, to, toAt, length);
      return;
    }
    // Not by the methods above, which are not inlined here if the other way came first.
    LONG.set(to, toAt, (long) LONG.get(from, at));
    LONG.set(to, toAt + 8, (long) LONG.get(from, at + 8));
    if (length > 16) {
      LONG.set(to, toAt + 16, (long) LONG.get(from, at + 16));
      LONG.set(to, toAt + 24, (long) LONG.get(from, at + 24));
    }
  }
}
