package io.github.coppicedb.tx;

import io.github.coppicedb.format.CommonBytes;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the keys of a view inside [low, high), upwards and downwards. The position is a key,
 * not a place in a tree: when a transaction has changed since the last move, the next move goes
 * from the key to its neighbour as they are now, whatever happened to the key itself.
 *
 * <p>From nowhere {@link #next} is {@link #first} and {@link #previous} is {@link #last}; behind
 * the last key {@link #previous} is the last one, before the first key {@link #next} is the first
 * one. Confined to one thread.
 *
 * <p>Invariant: on a key, {@code cursor} stands on that key, in the layers as they were when the
 * cursor came to it; these never change. A step that leaves {@code boundShared} bytes or more than
 * that as they were, which is what the key shares with the end of the range that lies ahead, stays
 * on the same side of that end, so that few keys are compared with it.
 */
public final class RangeCursor {
  private static final int NOT_KNOWN = Integer.MAX_VALUE;

  private enum Place {
    NOWHERE,
    ON_KEY,
    BEHIND_LAST,
    BEFORE_FIRST
  }

  private final View view;
  private final byte[] low;
  private final byte @Nullable [] high;
  private EntryCursor cursor;
  private long changes;
  private Place place = Place.NOWHERE;
  private boolean goesUp;
  private int boundShared = NOT_KNOWN;

  /** Makes a cursor that stands nowhere. */
  public RangeCursor(View view, byte[] low, byte @Nullable [] high) {
    this.view = view;
    this.low = low;
    this.high = high;
    this.cursor = view.stack().cursor();
    this.changes = view.changes();
  }

  /** Moves to the first key; false when there is none. */
  public boolean first() {
    return seekCeiling(low, low.length);
  }

  /** Moves to the last key; false when there is none. */
  public boolean last() {
    return guard(() -> settleDown(high == null ? cursor.last() : seekBelow(high, high.length)));
  }

  /** Moves to the least key that is greater than or equal to the given one. */
  public boolean seekCeiling(byte[] target, int length) {
    boolean below = Arrays.compareUnsigned(target, 0, length, low, 0, low.length) < 0;
    byte[] from = below ? low : target;
    int fromLength = below ? low.length : length;
    return guard(() -> settleUp(cursor.seekCeiling(from, fromLength)));
  }

  /** Moves to the greatest key that is less than or equal to the given one. */
  public boolean seekFloor(byte[] target, int length) {
    if (high != null && Arrays.compareUnsigned(target, 0, length, high, 0, high.length) >= 0) {
      return last();
    }
    return guard(() -> settleDown(cursor.seekFloor(target, length)));
  }

  /** Moves to the next greater key. */
  public boolean next() {
    if (place != Place.ON_KEY) {
      return nextFromNoKey();
    }
    if (changes != view.changes()) {
      byte[] key = cursor.key();
      int keyLength = cursor.keyLength();
      return guard(() -> settleUp(seekAbove(key, keyLength)));
    }
    try {
      view.ensureOpen();
      return settleUp(cursor.next());
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private boolean nextFromNoKey() {
    if (place == Place.BEHIND_LAST) {
      refresh();
      return false;
    }
    return first();
  }

  /** Moves to the next smaller key. */
  public boolean previous() {
    if (place != Place.ON_KEY) {
      return previousFromNoKey();
    }
    if (changes != view.changes()) {
      byte[] key = cursor.key();
      int keyLength = cursor.keyLength();
      return guard(() -> settleDown(seekBelow(key, keyLength)));
    }
    try {
      view.ensureOpen();
      return settleDown(cursor.previous());
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private boolean previousFromNoKey() {
    if (place == Place.BEFORE_FIRST) {
      refresh();
      return false;
    }
    return last();
  }

  /** Returns whether the cursor stands on a key. */
  public boolean isOnKey() {
    return place == Place.ON_KEY;
  }

  /** Returns a buffer whose first {@link #keyLength} bytes are the key, until the next move. */
  public byte[] key() {
    return cursor.key();
  }

  /** Returns the key's length. */
  public int keyLength() {
    return cursor.keyLength();
  }

  /** Fills in the value that the key had when the cursor came to it. */
  public void value(EntryValue out) {
    try {
      cursor.value(out);
    } catch (IllegalStateException e) {
      throw view.translate(e);
    }
  }

  private interface Move {
    boolean make();
  }

  private boolean guard(Move move) {
    try {
      refresh();
      boundShared = NOT_KNOWN;
      return move.make();
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private RuntimeException failed(RuntimeException e) {
    // After damage the cursor must not go on behind it.
    place = Place.NOWHERE;
    return e instanceof IllegalStateException state ? view.translate(state) : e;
  }

  /** Turns to the layers as they are now. */
  private void refresh() {
    view.ensureOpen();
    if (changes != view.changes()) {
      cursor = view.stack().cursor();
      changes = view.changes();
    }
  }

  private boolean seekAbove(byte[] target, int length) {
    return cursor.seekCeiling(target, length) && (!isOn(target, length) || cursor.next());
  }

  private boolean seekBelow(byte[] target, int length) {
    return cursor.seekFloor(target, length) && (!isOn(target, length) || cursor.previous());
  }

  private boolean isOn(byte[] target, int length) {
    return Arrays.equals(cursor.key(), 0, cursor.keyLength(), target, 0, length);
  }

  private boolean settleUp(boolean found) {
    boolean isInside = found && ((goesUp && cursor.shared() > boundShared) || isAhead(true, high));
    place = isInside ? Place.ON_KEY : Place.BEHIND_LAST;
    return isInside;
  }

  private boolean settleDown(boolean found) {
    boolean isInside = found && ((!goesUp && cursor.shared() > boundShared) || isAhead(false, low));
    place = isInside ? Place.ON_KEY : Place.BEFORE_FIRST;
    return isInside;
  }

  /** Compares the key with the end of the range that lies ahead. */
  private boolean isAhead(boolean up, byte @Nullable [] end) {
    goesUp = up;
    if (end == null) {
      boundShared = -1;
      return true;
    }
    byte[] key = cursor.key();
    int length = cursor.keyLength();
    int common = CommonBytes.count(key, 0, end, 0, Math.min(length, end.length));
    boundShared = common;
    if (common == end.length) {
      return !up;
    }
    boolean isLess = common == length || (key[common] & 0xFF) < (end[common] & 0xFF);
    return isLess == up;
  }
}
