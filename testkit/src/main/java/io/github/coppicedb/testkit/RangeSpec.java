package io.github.coppicedb.testkit;

import io.github.coppicedb.KeyRange;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A key range as the model sees it: its ends as they were given, not brought to a normal form as in
 * {@link KeyRange}, so that the two check each other. Text form: {@code [low,high)} with the usual
 * brackets, an absent end for none, or {@code p} and a prefix; {@code !} after it reverses it.
 *
 * @param low the lower end, or null
 * @param lowOpen whether the lower end itself is left out
 * @param high the upper end, or null
 * @param highClosed whether the upper end itself belongs to the range
 * @param prefix whether low is a prefix and there is no upper end
 * @param reversed whether the range is walked downwards
 */
public record RangeSpec(
    byte @Nullable [] low,
    boolean lowOpen,
    byte @Nullable [] high,
    boolean highClosed,
    boolean prefix,
    boolean reversed) {
  /** All keys, upwards. */
  public static final RangeSpec ALL = new RangeSpec(null, false, null, false, false, false);

  /** Reads the text form. */
  public static RangeSpec parse(String text) {
    boolean reversed = text.endsWith("!");
    String body = reversed ? text.substring(0, text.length() - 1) : text;
    if (body.startsWith("p")) {
      return new RangeSpec(Blob.decode(body.substring(1)), false, null, false, true, reversed);
    }
    int comma = body.indexOf(',');
    int end = body.length() - 1;
    return new RangeSpec(
        end(body.substring(1, comma)),
        body.charAt(0) == '(',
        end(body.substring(comma + 1, end)),
        body.charAt(end) == ']',
        false,
        reversed);
  }

  /** Returns the same range for the database. */
  public KeyRange toKeyRange() {
    KeyRange range = reversed ? lowerPart().reversed() : lowerPart();
    if (high == null) {
      return range;
    }
    return highClosed ? range.atMost(high) : range.lessThan(high);
  }

  /** Returns the entries of a map that are in the range, in its direction. Not for changes. */
  public NavigableMap<byte[], byte[]> within(NavigableMap<byte[], byte[]> map) {
    NavigableMap<byte[], byte[]> part = upwards(map);
    return reversed ? part.descendingMap() : part;
  }

  /** Returns whether a key is in the range. */
  public boolean contains(byte[] key) {
    if (low != null && prefix) {
      return startsWith(key, low);
    }
    return isAboveLow(key) && isBelowHigh(key);
  }

  /** Returns whether some key could be in both ranges. */
  public boolean meets(RangeSpec other) {
    byte[] mine = least();
    byte[] theirs = other.least();
    boolean theirsInBoth = contains(theirs) && other.contains(theirs);
    boolean mineInBoth = contains(mine) && other.contains(mine);
    return theirsInBoth || mineInBoth;
  }

  private KeyRange lowerPart() {
    if (low == null) {
      return KeyRange.all();
    }
    if (prefix) {
      return KeyRange.prefix(low);
    }
    return lowOpen ? KeyRange.greaterThan(low) : KeyRange.atLeast(low);
  }

  private NavigableMap<byte[], byte[]> upwards(NavigableMap<byte[], byte[]> map) {
    if (prefix || (low != null && high != null && Arrays.compareUnsigned(low, high) > 0)) {
      NavigableMap<byte[], byte[]> part = new TreeMap<>(Arrays::compareUnsigned);
      map.tailMap(least(), true).forEach((k, v) -> putIfInside(part, k, v));
      return part;
    }
    NavigableMap<byte[], byte[]> part = low == null ? map : map.tailMap(low, !lowOpen);
    return high == null ? part : headOf(part, high);
  }

  private NavigableMap<byte[], byte[]> headOf(NavigableMap<byte[], byte[]> part, byte[] end) {
    boolean empty = low != null && lowOpen && Arrays.equals(low, end);
    return empty ? new TreeMap<>(Arrays::compareUnsigned) : part.headMap(end, highClosed);
  }

  private void putIfInside(NavigableMap<byte[], byte[]> part, byte[] key, byte[] value) {
    if (contains(key)) {
      part.put(key, value);
    }
  }

  private byte[] least() {
    if (low == null) {
      return new byte[0];
    }
    return lowOpen ? Arrays.copyOf(low, low.length + 1) : low;
  }

  private boolean isAboveLow(byte[] key) {
    return low == null || Arrays.compareUnsigned(low, key) < (lowOpen ? 0 : 1);
  }

  private boolean isBelowHigh(byte[] key) {
    return high == null || Arrays.compareUnsigned(key, high) < (highClosed ? 1 : 0);
  }

  private static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  private static byte @Nullable [] end(String text) {
    return text.isEmpty() ? null : Blob.decode(text);
  }
}
