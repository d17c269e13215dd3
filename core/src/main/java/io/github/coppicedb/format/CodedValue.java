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

  private static final int SHORT = 0x7F;
  private static final int LONGEST_NUMBER = 5;

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
      return new Steps(s, at, coded).problem(base);
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
    int first = Bytes.u8(s, at);
    if (first > 0 && first <= SHORT) {
      return first - 1;
    }
    return new Steps(s, at, Math.min(coded, LONGEST_NUMBER)).length(coded);
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
    return new Steps(s, at, coded).decode(window, base);
  }

  /** A walk over coded bytes, from an array: there are many steps of a few bytes. */
  private static final class Steps {
    private final byte[] bytes;
    private int at;

    Steps(MemorySegment s, long from, long coded) {
      bytes = new byte[(int) coded];
      Bytes.copy(s, from, bytes, 0, bytes.length);
    }

    private int number() {
      int value = 0;
      for (int shift = 0; shift < Integer.SIZE; shift += 7) {
        int part = bytes[at++] & 0xFF;
        value |= (part & 0x7F) << shift;
        if (part <= SHORT) {
          return value;
        }
      }
      throw new IndexOutOfBoundsException("a number of more than five bytes");
    }

    private int count(int code, int more) {
      return code < more ? code : more + number();
    }

    private int distance() {
      int distance = ByteArrays.u16(bytes, at);
      at += Short.BYTES;
      return distance;
    }

    int length(long coded) {
      int told = number();
      long length = told == 0 ? coded - at : told - 1L;
      return (int) Objects.checkIndex(length, told == 0 ? Integer.MAX_VALUE : MOST + 1L);
    }

    int decode(byte[] window, int base) {
      int told = number();
      if (told == 0) {
        System.arraycopy(bytes, at, window, base, bytes.length - at);
        return bytes.length - at;
      }
      int whole = base + told - 1;
      int distance = base;
      int to = base;
      while (to < whole) {
        int step = bytes[at++] & 0xFF;
        int literals = count(step >>> LITERALS_SHIFT, MORE_LITERALS);
        copyLiterals(window, to, literals);
        to += literals;
        if (to < whole) {
          if ((step & HAS_DISTANCE) != 0) {
            distance = distance();
          }
          int repeat = count(step & MORE_REPEAT, MORE_REPEAT) + LEAST_REPEAT;
          repeat(window, to, distance, repeat);
          to += repeat;
        }
      }
      return told - 1;
    }

    private void copyLiterals(byte[] window, int to, int count) {
      if (count < MORE_LITERALS) {
        for (int i = 0; i < count; i++) {
          window[to + i] = bytes[at + i];
        }
      } else {
        System.arraycopy(bytes, at, window, to, count);
      }
      at += count;
    }

    private static void repeat(byte[] window, int to, int distance, int count) {
      if (distance >= count) {
        System.arraycopy(window, to - distance, window, to, count);
        return;
      }
      for (int i = to; i < to + count; i++) {
        window[i] = window[i - distance];
      }
    }

    @Nullable String problem(int base) {
      int told = number();
      if (told == 0) {
        return null;
      }
      long whole = told - 1L;
      if (whole < 0 || whole > MOST) {
        return "a value of " + whole + " bytes";
      }
      long made = 0;
      int distance = base;
      while (made < whole) {
        int step = bytes[at++] & 0xFF;
        long literals = count(step >>> LITERALS_SHIFT, MORE_LITERALS) & 0xFFFF_FFFFL;
        if (literals > bytes.length - at || literals > whole - made) {
          return literals + " literals after " + made + " of " + whole + " bytes";
        }
        at += (int) literals;
        made += literals;
        if (made < whole) {
          distance = (step & HAS_DISTANCE) != 0 ? distance() : distance;
          long repeat = (count(step & MORE_REPEAT, MORE_REPEAT) & 0xFFFF_FFFFL) + LEAST_REPEAT;
          if (distance == 0 || distance > base + made || repeat > whole - made) {
            return "%d bytes from %d back after %d of %d".formatted(repeat, distance, made, whole);
          }
          made += repeat;
        }
      }
      return at == bytes.length ? null : (bytes.length - at) + " bytes more than the value has";
    }
  }
}
