package io.github.coppicedb.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash of a key, for filters and for indexes in memory. Filters stand in files, so the function
 * is part of the format: it never changes.
 *
 * <p>It folds two words of eight bytes at a time by a 64 x 64 to 128 bit multiplication, after
 * wyhash (Wang Yi), in the form that never loses a factor to a zero: {@code mix(a, b) = a ^ b ^
 * low(a * b) ^ high(a * b)}. The last 16 bytes are read whole, overlapping what was read before; a
 * key of fewer bytes is spread over two words. No seed: it is no defence against an adversary who
 * chooses keys. Stateless, for any thread.
 */
public final class KeyHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long SALT_0 = 0xA0761D6478BD642FL;
  private static final long SALT_1 = 0xE7037ED1A0B428DBL;
  private static final long SALT_2 = 0x8EBC6AF09C88C6E3L;

  private KeyHash() {}

  /** Returns the hash of the first {@code length} bytes of an array. */
  public static long of(byte[] key, int length) {
    return of(key, 0, length);
  }

  /** Returns the hash of a part of an array. */
  public static long of(byte[] bytes, int offset, int length) {
    long state = SALT_0;
    long a;
    long b;
    if (length >= 8) {
      int last = offset + length - 16;
      for (int at = offset; at < last; at += 16) {
        state = mix(word(bytes, at) ^ SALT_1, word(bytes, at + 8) ^ state);
      }
      a = word(bytes, Math.max(offset, last));
      b = word(bytes, last + 8);
    } else if (length >= 4) {
      a = half(bytes, offset);
      b = half(bytes, offset + length - 4);
    } else {
      a = shortest(bytes, offset, length);
      b = 0;
    }
    return mix(SALT_2 ^ length, mix(a ^ SALT_1, b ^ state));
  }

  private static long shortest(byte[] bytes, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    return ((bytes[offset] & 0xFFL) << 16)
        | ((bytes[offset + (length >>> 1)] & 0xFFL) << 8)
        | (bytes[offset + length - 1] & 0xFFL);
  }

  private static long mix(long a, long b) {
    return a ^ b ^ (a * b) ^ Math.unsignedMultiplyHigh(a, b);
  }

  private static long word(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  private static long half(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset) & 0xFFFF_FFFFL;
  }
}
