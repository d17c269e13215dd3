package io.github.coppicedb.page;

import io.github.coppicedb.format.ByteArrays;
import io.github.coppicedb.format.PackedPage;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the values of a leaf are coded, and codes them. The second value that differs
 * decides, by whether it is worth to store it as what it does not share with the first one; a long
 * first value decides alone. Leaves whose values share nothing are soon tried less often. Confined
 * to one thread.
 *
 * <p>What is decided follows from the values that came before, and from nothing else: the same
 * values make the same pages.
 */
final class LeafCoder {
  /** From this length on a value is coded alone, so that it is read without another one. */
  private static final int LONG_VALUE = 2048;

  /** After so many leaves in vain, twice as many each time, one is tried again. */
  private static final int MOST_DOUBLINGS = 5;

  private enum State {
    EMPTY,
    ONE_VALUE,
    PLAIN,
    BY_FIRST,
    ALONE
  }

  private State state = State.EMPTY;
  private @Nullable ValueCoder coder;

  // The first value while nothing is decided; then the last one, if it was coded.
  private byte[] plain = new byte[64];
  private int plainLength;

  private byte[] coded = {};
  private int codedLength;
  private int failures;
  private int toSkip;

  /** Begins with the next leaf. */
  void clear() {
    state = State.EMPTY;
  }

  /** Returns the flag of a leaf with such values, or 0. */
  int flag() {
    return switch (state) {
      case BY_FIRST -> PackedPage.CODED_BY_FIRST;
      case ALONE -> PackedPage.CODED_ALONE;
      default -> 0;
    };
  }

  /**
   * Takes the next value that an entry of the leaf holds, with at least one byte.
   *
   * @param isFirst whether it is that of entry 0
   * @return whether it is to be stored as {@link #coded} says; else as it is
   */
  boolean code(boolean isFirst, byte[] value, int at, int length) {
    if (state == State.EMPTY) {
      begin(isFirst, value, at, length);
    } else if (state == State.ONE_VALUE) {
      decide(value, at, length);
    } else if (state != State.PLAIN) {
      codeOrMark(coder().code(value, at, length), value, at, length);
    }
    if (state != State.BY_FIRST && state != State.ALONE) {
      return false;
    }
    keep(value, at, length);
    return true;
  }

  private void begin(boolean isFirst, byte[] value, int at, int length) {
    state = State.PLAIN;
    if (!isFirst || isSkipped()) {
      return;
    }
    if (length < LONG_VALUE) {
      keep(value, at, length);
      state = State.ONE_VALUE;
      return;
    }
    coder().begin(value, at, 0);
    attempt(State.ALONE, value, at, length);
  }

  private void decide(byte[] value, int at, int length) {
    state = State.PLAIN;
    coder().begin(plain, 0, plainLength);
    attempt(State.BY_FIRST, value, at, length);
  }

  private void attempt(State goal, byte[] value, int at, int length) {
    int bytes = coder().code(value, at, length);
    if (bytes >= 0) {
      state = goal;
      failures = 0;
      codeOrMark(bytes, value, at, length);
    } else {
      failures = Math.min(failures + 1, MOST_DOUBLINGS);
      toSkip = (1 << failures) - 1;
    }
  }

  private boolean isSkipped() {
    if (toSkip == 0) {
      return false;
    }
    toSkip--;
    return true;
  }

  private void codeOrMark(int bytes, byte[] value, int at, int length) {
    if (bytes >= 0) {
      coded = coder().bytes();
      codedLength = bytes;
    } else {
      coded = new byte[length + 1 + ByteArrays.SLACK];
      System.arraycopy(value, at, coded, 1, length);
      codedLength = length + 1;
    }
  }

  private void keep(byte[] value, int at, int length) {
    if (plain.length < length + ByteArrays.SLACK) {
      plain = new byte[2 * length + ByteArrays.SLACK];
    }
    System.arraycopy(value, at, plain, 0, length);
    plainLength = length;
  }

  private ValueCoder coder() {
    ValueCoder made = coder;
    if (made == null) {
      made = new ValueCoder();
      coder = made;
    }
    return made;
  }

  /** Returns an array that begins with the last value, if it was coded. */
  byte[] plain() {
    return plain;
  }

  /** Returns an array that begins with what to store. */
  byte[] coded() {
    return coded;
  }

  /** Returns how many bytes to store. */
  int codedLength() {
    return codedLength;
  }
}
