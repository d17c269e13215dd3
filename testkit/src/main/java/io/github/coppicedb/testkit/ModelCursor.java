package io.github.coppicedb.testkit;

import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cursor contract over a map that may change between the moves: the position is a key, or
 * before all keys, or after them. The map is in the direction of the cursor's range.
 */
public final class ModelCursor {
  private enum Place {
    FRESH,
    BEFORE,
    AT_KEY,
    AFTER
  }

  private final Supplier<NavigableMap<byte[], byte[]>> view;
  private Place place = Place.FRESH;
  private byte[] key = {};
  private byte[] value = {};

  /** Makes a cursor that is nowhere yet, over the map that the supplier gives at each move. */
  public ModelCursor(Supplier<NavigableMap<byte[], byte[]>> view) {
    this.view = view;
  }

  /** Returns the key of the last move that found one. */
  public byte[] key() {
    return key;
  }

  /** Returns the value that the key had at the move. */
  public byte[] value() {
    return value;
  }

  /** Returns whether the last move found a key. */
  public boolean isAtKey() {
    return place == Place.AT_KEY;
  }

  /** Goes to the first key. */
  public boolean first() {
    return land(view.get().firstEntry(), Place.AFTER);
  }

  /** Goes to the last key. */
  public boolean last() {
    return land(view.get().lastEntry(), Place.BEFORE);
  }

  /** Goes to the least key that is not before the given one. */
  public boolean seek(byte[] sought) {
    return land(view.get().ceilingEntry(sought), Place.AFTER);
  }

  /** Goes to the greatest key that is not after the given one. */
  public boolean seekFloor(byte[] sought) {
    return land(view.get().floorEntry(sought), Place.BEFORE);
  }

  /** Goes one key on. */
  public boolean next() {
    return switch (place) {
      case FRESH, BEFORE -> first();
      case AT_KEY -> land(view.get().higherEntry(key), Place.AFTER);
      case AFTER -> false;
    };
  }

  /** Goes one key back. */
  public boolean previous() {
    return switch (place) {
      case FRESH, AFTER -> last();
      case AT_KEY -> land(view.get().lowerEntry(key), Place.BEFORE);
      case BEFORE -> false;
    };
  }

  private boolean land(Map.@Nullable Entry<byte[], byte[]> entry, Place otherwise) {
    if (entry == null) {
      place = otherwise;
      return false;
    }
    place = Place.AT_KEY;
    key = entry.getKey();
    value = entry.getValue();
    return true;
  }
}
