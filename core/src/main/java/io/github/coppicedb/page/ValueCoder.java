package io.github.coppicedb.page;

import io.github.coppicedb.format.BatchFormat;
import io.github.coppicedb.format.ByteArrays;
import io.github.coppicedb.format.CodedValue;
import java.util.Arrays;

/**
 * Codes values ({@link CodedValue}): goes along a value and takes at each place what the window
 * repeats there, first at the distance used last, then where the same four bytes were seen last in
 * the base or in the value (one hash table each, as in LZ4 by Yann Collet). Gives up as soon as the
 * result is longer than is worth it; the more places in a row repeat nothing, the more are passed
 * by. Confined to one thread.
 */
final class ValueCoder {
  private static final int TABLE_BITS = 10;
  private static final int HASH = 0x9E37_79B1;

  /** So many places without a match make the next step a byte longer. */
  private static final int PATIENCE_BITS = 5;

  /** Shorter values are not looked up in themselves, if there is a base. */
  private static final int LEAST_OWN = 256;

  /** Coded bytes are worth it when they are this part less, in quarters, and some bytes less. */
  private static final int WORTH_QUARTERS = 3;

  private static final int WORTH_BYTES = 4;

  private final short[] inBase = new short[1 << TABLE_BITS];
  private final int[] inValue = new int[1 << TABLE_BITS];

  /** The base, then the value. */
  private byte[] window = new byte[512];

  private int base;

  private byte[] coded = new byte[256];
  private int used;
  private int limit;

  // Of the value under way.
  private int end;
  private int lastDistance;
  private int literalsFrom;

  /** Begins with a base, which may be empty. */
  void begin(byte[] source, int at, int length) {
    base = Math.min(length, CodedValue.LONGEST_BASE);
    reserve(base);
    System.arraycopy(source, at, window, 0, base);
    if (base > 0) {
      Arrays.fill(inBase, (short) -1);
      for (int i = 0; i + Integer.BYTES <= base; i++) {
        inBase[hash(ByteArrays.i32(window, i))] = (short) i;
      }
    }
  }

  private void reserve(int bytes) {
    int needed = bytes + ByteArrays.SLACK;
    if (needed > window.length) {
      window = Arrays.copyOf(window, Math.max(needed, 2 * window.length));
    }
  }

  private static int hash(int word) {
    return (word * HASH) >>> (Integer.SIZE - TABLE_BITS);
  }

  /**
   * Codes a value.
   *
   * @return the number of coded bytes, or -1 if they would not be worth it
   */
  int code(byte[] source, int at, int length) {
    limit = length / 4 * WORTH_QUARTERS - WORTH_BYTES;
    if (length > CodedValue.MOST || limit <= 0) {
      return -1;
    }
    reserve(base + length);
    System.arraycopy(source, at, window, base, length);
    ensureCoded(length);
    used = BatchFormat.putVarint(coded, 0, length + 1);
    end = base + length;
    lastDistance = base;
    literalsFrom = base;
    boolean inItself = base == 0 || length >= LEAST_OWN;
    if (inItself) {
      Arrays.fill(inValue, -1);
    }
    return steps(inItself) ? used : -1;
  }

  private void ensureCoded(int length) {
    // What is worth it has fewer bytes than the value, and a step that is too long is few more.
    int needed = 2 * length + 64;
    if (needed > coded.length) {
      coded = new byte[needed];
    }
  }

  private boolean steps(boolean inItself) {
    int at = base;
    int misses = 0;
    while (at + CodedValue.LEAST_REPEAT <= end) {
      int from = match(at, inItself);
      if (from < 0) {
        at += 1 + (misses++ >>> PATIENCE_BITS);
        if (used + at - literalsFrom > limit) {
          return false;
        }
        continue;
      }
      misses = 0;
      int length = Arrays.mismatch(window, from, from + end - at, window, at, end);
      length = length < 0 ? end - at : length;
      putStep(at, at - from, length);
      at += length;
      literalsFrom = at;
      if (used > limit) {
        return false;
      }
    }
    if (literalsFrom < end) {
      putLiterals(end, 0);
    }
    return used <= limit;
  }

  /** Returns where in the window the next four bytes stand that a place repeats, or -1. */
  private int match(int at, boolean inItself) {
    int word = ByteArrays.i32(window, at);
    int same = at - lastDistance;
    if (lastDistance > 0 && same + Integer.BYTES <= end && ByteArrays.i32(window, same) == word) {
      return same;
    }
    int slot = hash(word);
    int found = -1;
    if (inItself) {
      found = inValue[slot];
      inValue[slot] = at;
    }
    if (!isMatch(found, at, word)) {
      found = base > 0 ? inBase[slot] : -1;
    }
    return isMatch(found, at, word) ? found : -1;
  }

  private boolean isMatch(int found, int at, int word) {
    return found >= 0 && at - found <= CodedValue.FARTHEST && ByteArrays.i32(window, found) == word;
  }

  private void putStep(int at, int distance, int length) {
    boolean isNew = distance != lastDistance;
    int repeat = length - CodedValue.LEAST_REPEAT;
    int code = Math.min(repeat, CodedValue.MORE_REPEAT);
    putLiterals(at, (isNew ? CodedValue.HAS_DISTANCE : 0) | code);
    if (isNew) {
      ByteArrays.put16(coded, used, distance);
      used += Short.BYTES;
      lastDistance = distance;
    }
    if (code == CodedValue.MORE_REPEAT) {
      used = BatchFormat.putVarint(coded, used, repeat - CodedValue.MORE_REPEAT);
    }
  }

  /** Begins a step, with the literals up to a place. */
  private void putLiterals(int to, int rest) {
    int count = to - literalsFrom;
    int code = Math.min(count, CodedValue.MORE_LITERALS);
    coded[used++] = (byte) (code << CodedValue.LITERALS_SHIFT | rest);
    if (code == CodedValue.MORE_LITERALS) {
      used = BatchFormat.putVarint(coded, used, count - CodedValue.MORE_LITERALS);
    }
    System.arraycopy(window, literalsFrom, coded, used, count);
    used += count;
  }

  /** Returns the coded bytes of the last value, until the next call. */
  byte[] bytes() {
    return coded;
  }
}
