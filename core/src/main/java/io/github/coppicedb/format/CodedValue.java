package io.github.coppicedb.format;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value that is stored as what it does not share with another one, its <em>base</em>, or with
 * itself further up.
 *
 * <pre>
 *   varint  0 = the value follows as it is; else its length + 1, and steps until it is whole:
 *   u8      bits 5-7 literals, 7 = 7 and as many more as a varint says, which follows;
 *           bit 4    a distance follows the literals, or the last one is used again;
 *           bits 0-3 bytes to repeat, less 4, 15 = 15 and as many more as a varint says
 *   literals, then, unless the value is whole:
 *   u16     the distance, if there is one
 *   varint  of the bytes to repeat, if there is one
 * </pre>
 *
 * The steps append to a <em>window</em>, which begins with the base: first the literals, then what
 * stands so many bytes back in the window as the distance says, byte by byte, so that the two may
 * overlap. The first distance is the length of the base: what stands at the same place in it.
 * (After Ziv and Lempel, 1977; a distance that is used again, as in LZX, is what rows of one layout
 * need.)
 *
 * <p>A varint has seven bits a byte, the low ones first; the high bit says that there are more.
 * Stateless, for any thread.
 */
public final class CodedValue {
  /** No value of more bytes is coded. */
  public static final int MOST = 1 << 20;

  /** Of a longer base only so many bytes are used. */
  public static final int LONGEST_BASE = 0x7FFF;

  /** The least number of bytes that are repeated. */
  public static final int LEAST_REPEAT = 4;

  /** The greatest distance. */
  public static final int FARTHEST = 0xFFFF;

  /** Place of the literals in a step's first byte. */
  public static final int LITERALS_SHIFT = 5;

  /** Literals, or bytes to repeat, of this code are followed by how many more there are. */
  public static final int MORE_LITERALS = 7;

  /** As {@link #MORE_LITERALS}, of the bytes to repeat. */
  public static final int MORE_REPEAT = 15;

  /** The flag of a distance. */
  public static final int HAS_DISTANCE = 1 << 4;

  private CodedValue() {}

  /**
   * Returns what is wrong with a coded value, or null if {@link #decode} makes a value of it.
   *
   * @param s holds the coded bytes
   * @param at where they begin
   * @param coded how many there are
   * @param base length of the base
   */
  public static @Nullable String problem(MemorySegment s, long at, long coded, int base) {
    try {
      return new Walk(s, at, at + coded, base).problem();
    } catch (IndexOutOfBoundsException e) {
      return "a number that does not end";
    }
  }

  /**
   * Returns the length of the value. The coded bytes were checked.
   *
   * @throws IndexOutOfBoundsException if they are none all the same
   */
  public static int length(MemorySegment s, long at, long coded) {
    Walk walk = new Walk(s, at, at + coded, 0);
    int told = walk.varint();
    long length = told == 0 ? walk.end - walk.at : told - 1L;
    return (int) Objects.checkIndex(length, told == 0 ? Integer.MAX_VALUE : MOST + 1L);
  }

  /**
   * Puts a value together. The coded bytes were checked.
   *
   * @param window begins with the base, and has room for the value behind it
   * @param base length of the base
   * @return the length of the value
   * @throws IndexOutOfBoundsException if the bytes are no coded value all the same
   */
  public static int decode(MemorySegment s, long at, long coded, byte[] window, int base) {
    return new Walk(s, at, at + coded, base).decode(window);
  }

  /** One walk over the steps of a value. */
  private static final class Walk {
    private final MemorySegment s;
    private final long end;
    private final int base;
    private long at;

    Walk(MemorySegment s, long at, long end, int base) {
      this.s = s;
      this.at = at;
      this.end = end;
      this.base = base;
    }

    private int varint() {
      int value = 0;
      for (int shift = 0; shift < Integer.SIZE; shift += 7) {
        int part = Bytes.u8(s, Objects.checkIndex(at++, end));
        value |= (part & 0x7F) << shift;
        if (part <= 0x7F) {
          return value;
        }
      }
      throw new IndexOutOfBoundsException("a number of more than five bytes");
    }

    private int count(int code, int more) {
      return code < more ? code : more + varint();
    }

    int decode(byte[] window) {
      int told = varint();
      if (told == 0) {
        int length = (int) (end - at);
        Bytes.copy(s, at, window, base, length);
        return length;
      }
      int length = told - 1;
      int whole = base + length;
      int distance = base;
      for (int to = base; to < whole; ) {
        int step = Bytes.u8(s, at++);
        int literals = count(step >>> LITERALS_SHIFT, MORE_LITERALS);
        Bytes.copy(s, at, window, to, literals);
        at += literals;
        to += literals;
        if (to < whole) {
          if ((step & HAS_DISTANCE) != 0) {
            distance = Bytes.u16(s, at);
            at += Short.BYTES;
          }
          int repeat = count(step & MORE_REPEAT, MORE_REPEAT) + LEAST_REPEAT;
          repeat(window, to, distance, repeat);
          to += repeat;
        }
      }
      return length;
    }

    private static void repeat(byte[] window, int to, int distance, int count) {
      if (distance >= count) {
        System.arraycopy(window, to - distance, window, to, count);
      } else {
        for (int i = to; i < to + count; i++) {
          window[i] = window[i - distance];
        }
      }
    }

    @Nullable String problem() {
      if (at >= end) {
        return "no bytes";
      }
      int told = varint();
      if (told == 0) {
        return at <= end ? null : "too few bytes";
      }
      long whole = told - 1L;
      if (whole < 0 || whole > MOST) {
        return "a value of " + whole + " bytes";
      }
      long made = 0;
      int distance = base;
      while (made < whole) {
        if (at >= end) {
          return "steps that end after " + made + " of " + whole + " bytes";
        }
        int step = Bytes.u8(s, at++);
        long literals = count(step >>> LITERALS_SHIFT, MORE_LITERALS) & 0xFFFF_FFFFL;
        if (literals > end - at || literals > whole - made) {
          return literals + " literals after " + made + " of " + whole + " bytes";
        }
        at += literals;
        made += literals;
        if (made < whole) {
          if ((step & HAS_DISTANCE) != 0) {
            if (end - at < Short.BYTES) {
              return "no room for a distance";
            }
            distance = Bytes.u16(s, at);
            at += Short.BYTES;
          }
          long repeat = (count(step & MORE_REPEAT, MORE_REPEAT) & 0xFFFF_FFFFL) + LEAST_REPEAT;
          if (distance == 0 || distance > base + made || repeat > whole - made) {
            return "%d bytes from %d back after %d of %d".formatted(repeat, distance, made, whole);
          }
          made += repeat;
        }
      }
      return at == end ? null : (end - at) + " bytes more than the value has";
    }
  }
}
