package io.github.coppicedb.format;

import io.github.coppicedb.Limits;
import java.lang.foreign.MemorySegment;

/**
 * A batch: the changes of one commit, in order, as the payload of a frame of the log.
 *
 * <pre>
 * batch  := count record^count
 * record := kind u8 | key length varint | value length varint | key | value
 *
 * kind 0  put        any value
 * kind 1  tombstone  no value
 * kind 2  large      the value is a ValueReference
 * kind 3  mask       the key is the low end of a range (inclusive), the value its high end
 *                    (exclusive); no value: the range has no upper end
 *
 * count  := varint
 * varint := 7 bits a byte, the lowest first; the high bit says that another byte follows; no longer
 *           than needed; at most 2^31 - 1
 * </pre>
 *
 * <p>Later records win over earlier ones. A mask deletes every key in its range, those of earlier
 * records too. Nothing may stand behind the last record. Stateless, for any thread.
 */
public final class BatchFormat {
  /** The record deletes a range of keys. Goes on from the numbers of {@link EntryKind}. */
  public static final byte MASK = 3;

  /** The greatest number of bytes a varint has. */
  public static final int MAX_VARINT_BYTES = 5;

  /** The longest key: a table's number, a user's key, and a byte more where it ends a range. */
  public static final int MAX_KEY_BYTES = Integer.BYTES + Limits.MAX_KEY_BYTES + 1;

  private BatchFormat() {}

  /** Returns the number of bytes of a number of at least 0 as a varint. */
  public static int varintBytes(int value) {
    return (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
  }

  /** Writes a number of at least 0 as a varint and returns the index behind it. */
  public static int putVarint(byte[] target, int at, int value) {
    int rest = value;
    int next = at;
    while (rest > 0x7F) {
      target[next++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[next++] = (byte) rest;
    return next;
  }

  /**
   * Reads a varint: the number in the low 32 bits, the number of bytes it takes in the high ones.
   *
   * @throws IllegalArgumentException if there is no varint at the offset
   */
  public static long varint(MemorySegment payload, long at) {
    int value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      if (at + i >= payload.byteSize()) {
        throw new IllegalArgumentException("the batch ends inside a number at byte " + at);
      }
      int part = Bytes.u8(payload, at + i);
      value |= (part & 0x7F) << (7 * i);
      if (part <= 0x7F) {
        boolean tooLong = i > 0 && part == 0;
        boolean tooGreat = i == MAX_VARINT_BYTES - 1 && part > 7;
        if (tooLong || tooGreat) {
          break;
        }
        return (long) (i + 1) << 32 | value;
      }
    }
    throw new IllegalArgumentException("bad number in the batch at byte " + at);
  }
}
