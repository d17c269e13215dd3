package io.github.coppicedb.tx;

import io.github.coppicedb.lsm.MergingCursor;
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
 */
public final class RangeCursor implements EntryCursor {
  private enum Place {
    NOWHERE,
    ON_KEY,
    BEHIND_LAST,
    BEFORE_FIRST
  }

  private final View view;
  private final byte[] low;
  private final byte @Nullable [] high;
  private final EntryValue value = new EntryValue();
  private MergingCursor cursor;
  private long changes;
  private Place place = Place.NOWHERE;
  private byte[] key = {};
  private int keyLength;

  /** Makes a cursor that stands nowhere. */
  public RangeCursor(View view, byte[] low, byte @Nullable [] high) {
    this.view = view;
    this.low = low;
    this.high = high;
    this.cursor = view.stack().cursor();
    this.changes = view.changes();
  }

  @Override
  public boolean first() {
    return seekCeiling(low, low.length);
  }

  @Override
  public boolean last() {
    return guard(() -> settleDown(high == null ? cursor.last() : seekBelow(high, high.length)));
  }

  @Override
  public boolean seekCeiling(byte[] target, int length) {
    boolean below = Arrays.compareUnsigned(target, 0, length, low, 0, low.length) < 0;
    byte[] from = below ? low : target;
    int fromLength = below ? low.length : length;
    return guard(() -> settleUp(cursor.seekCeiling(from, fromLength)));
  }

  @Override
  public boolean seekFloor(byte[] target, int length) {
    if (!isBelowHigh(target, length)) {
      return last();
    }
    return guard(() -> settleDown(cursor.seekFloor(target, length)));
  }

  @Override
  public boolean next() {
    return switch (place) {
      case NOWHERE, BEFORE_FIRST -> first();
      case BEHIND_LAST -> {
        refresh();
        yield false;
      }
      case ON_KEY -> {
        boolean fresh = isFresh();
        yield guard(() -> settleUp(fresh ? cursor.next() : seekAbove(key, keyLength)));
      }
    };
  }

  @Override
  public boolean previous() {
    return switch (place) {
      case NOWHERE, BEHIND_LAST -> last();
      case BEFORE_FIRST -> {
        refresh();
        yield false;
      }
      case ON_KEY -> {
        boolean fresh = isFresh();
        yield guard(() -> settleDown(fresh ? cursor.previous() : seekBelow(key, keyLength)));
      }
    };
  }

  /** Returns whether the cursor stands on a key. */
  public boolean isOnKey() {
    return place == Place.ON_KEY;
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public int keyLength() {
    return keyLength;
  }

  /** Fills in the value that the key had when the cursor came to it. */
  @Override
  public void value(EntryValue out) {
    out.set(value.kind(), value.segment(), value.offset(), value.length());
  }

  private interface Move {
    boolean make();
  }

  private boolean guard(Move move) {
    try {
      refresh();
      return move.make();
    } catch (IllegalStateException e) {
      place = Place.NOWHERE;
      throw view.translate(e);
    } catch (RuntimeException e) {
      // After damage the cursor must not go on behind it.
      place = Place.NOWHERE;
      throw e;
    }
  }

  /** Returns whether the merging cursor still stands where this one does. */
  private boolean isFresh() {
    return changes == view.changes();
  }

  private void refresh() {
    if (changes != view.changes()) {
      cursor = view.stack().cursor();
      changes = view.changes();
    } else {
      view.stack();
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
    return settle(found && isBelowHigh(cursor.key(), cursor.keyLength()), Place.BEHIND_LAST);
  }

  private boolean settleDown(boolean found) {
    boolean inside =
        found
            && Arrays.compareUnsigned(cursor.key(), 0, cursor.keyLength(), low, 0, low.length) >= 0;
    return settle(inside, Place.BEFORE_FIRST);
  }

  private boolean settle(boolean found, Place otherwise) {
    place = found ? Place.ON_KEY : otherwise;
    if (found) {
      keyLength = cursor.keyLength();
      if (key.length < keyLength) {
        key = new byte[Math.max(keyLength, 2 * key.length)];
      }
      System.arraycopy(cursor.key(), 0, key, 0, keyLength);
      cursor.value(value);
    }
    return found;
  }

  private boolean isBelowHigh(byte[] target, int length) {
    return high == null || Arrays.compareUnsigned(target, 0, length, high, 0, high.length) < 0;
  }
}
