package io.github.coppicedb.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Numbers at any index of a byte array, for structures that live in heap memory only. Plain access;
 * bounds are checked by the array. What stands in files goes through {@link Bytes}.
 */
public final class ByteArrays {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle ORDERED_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private ByteArrays() {}

  /** Reads a 32-bit number. */
  public static int i32(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  /** Writes a 32-bit number. */
  public static void put32(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }

  /** Reads eight bytes as a number whose unsigned order is the order of the bytes. */
  public static long ordered64(byte[] bytes, int at) {
    return (long) ORDERED_LONG.get(bytes, at);
  }
}
