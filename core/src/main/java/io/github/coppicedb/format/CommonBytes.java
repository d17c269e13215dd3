package io.github.coppicedb.format;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * How many bytes two strings share at their begin: eight at a time, without a segment made for it,
 * which matters as the strings compared inside a page are short. Stateless, for any thread.
 */
public final class CommonBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private CommonBytes() {}

  /** Counts the equal bytes at the begin of two parts of {@code limit} bytes. */
  public static int count(MemorySegment a, long aAt, byte[] b, int bAt, int limit) {
    int done = 0;
    for (; done + 8 <= limit; done += 8) {
      long differs = Bytes.i64(a, aAt + done) ^ (long) LONG.get(b, bAt + done);
      if (differs != 0) {
        return done + (Long.numberOfTrailingZeros(differs) >>> 3);
      }
    }
    if (done >= limit) {
      return done;
    }
    int end = bAt + limit;
    if (end >= 8 && aAt + limit >= 8) {
      // The last bytes are read with those before them, which are shifted out.
      long differs = Bytes.i64(a, aAt + limit - 8) ^ (long) LONG.get(b, end - 8);
      return done + firstDifference(differs, limit - done);
    }
    while (done < limit && (byte) Bytes.u8(a, aAt + done) == b[bAt + done]) {
      done++;
    }
    return done;
  }

  /** Counts the equal bytes at the begin of two parts of {@code limit} bytes. */
  public static int count(MemorySegment a, long aAt, MemorySegment b, long bAt, int limit) {
    int done = 0;
    for (; done + 8 <= limit; done += 8) {
      long differs = Bytes.i64(a, aAt + done) ^ Bytes.i64(b, bAt + done);
      if (differs != 0) {
        return done + (Long.numberOfTrailingZeros(differs) >>> 3);
      }
    }
    if (done >= limit) {
      return done;
    }
    if (bAt + limit >= 8 && aAt + limit >= 8) {
      long differs = Bytes.i64(a, aAt + limit - 8) ^ Bytes.i64(b, bAt + limit - 8);
      return done + firstDifference(differs, limit - done);
    }
    while (done < limit && Bytes.u8(a, aAt + done) == Bytes.u8(b, bAt + done)) {
      done++;
    }
    return done;
  }

  /** Counts the equal bytes at the begin of two parts of {@code limit} bytes. */
  public static int count(byte[] a, int aAt, byte[] b, int bAt, int limit) {
    int done = 0;
    // What is read past the limit is not counted.
    while (aAt + done + 8 <= a.length && bAt + done + 8 <= b.length) {
      long differs = ByteArrays.i64(a, aAt + done) ^ ByteArrays.i64(b, bAt + done);
      if (differs != 0) {
        return Math.min(limit, done + (Long.numberOfTrailingZeros(differs) >>> 3));
      }
      done += 8;
      if (done >= limit) {
        return limit;
      }
    }
    while (done < limit && a[aAt + done] == b[bAt + done]) {
      done++;
    }
    return done;
  }

  /** Returns the first byte that differs in the last 1 to 7 bytes of a word, or their number. */
  private static int firstDifference(long differs, int bytes) {
    long last = differs >>> (64 - 8 * bytes);
    return Math.min(bytes, Long.numberOfTrailingZeros(last) >>> 3);
  }
}
