package io.github.coppicedb;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A set of keys between two ends, each of them open, closed or unbounded, and the direction in
 * which it is walked. Immutable; the ends are copied. A range whose ends have crossed is empty.
 */
public final class KeyRange {
  private static final byte[] LEAST = {};
  private static final KeyRange ALL = new KeyRange(LEAST, null, false);

  // [low, high): an open low end or a closed high end is the end followed by a zero byte, which is
  // the next key there is.
  private final byte[] low;
  private final byte @Nullable [] high;
  private final boolean reversed;

  private KeyRange(byte[] low, byte @Nullable [] high, boolean reversed) {
    this.low = low;
    this.high = high;
    this.reversed = reversed;
  }

  /** Returns the range of all keys. */
  public static KeyRange all() {
    return ALL;
  }

  /** Returns the keys k with low ≤ k &lt; high. */
  public static KeyRange closedOpen(byte[] low, byte[] high) {
    return atLeast(low).lessThan(high);
  }

  /** Returns the keys k with low ≤ k ≤ high. */
  public static KeyRange closed(byte[] low, byte[] high) {
    return atLeast(low).atMost(high);
  }

  /** Returns the keys k with low &lt; k &lt; high. */
  public static KeyRange open(byte[] low, byte[] high) {
    return greaterThan(low).lessThan(high);
  }

  /** Returns the keys k with low &lt; k ≤ high. */
  public static KeyRange openClosed(byte[] low, byte[] high) {
    return greaterThan(low).atMost(high);
  }

  /** Returns the keys k with low ≤ k. */
  public static KeyRange atLeast(byte[] low) {
    return new KeyRange(low.clone(), null, false);
  }

  /** Returns the keys k with low &lt; k. */
  public static KeyRange greaterThan(byte[] low) {
    return new KeyRange(successor(low), null, false);
  }

  /** Returns the keys that begin with the given bytes. */
  public static KeyRange prefix(byte[] prefix) {
    byte[] end = prefix.clone();
    int last = end.length - 1;
    while (last >= 0 && end[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return new KeyRange(prefix.clone(), null, false);
    }
    end[last]++;
    return new KeyRange(prefix.clone(), Arrays.copyOf(end, last + 1), false);
  }

  /** Returns the keys of this range that are less than the given one. */
  public KeyRange lessThan(byte[] end) {
    return below(end.clone());
  }

  /** Returns the keys of this range that are less than or equal to the given one. */
  public KeyRange atMost(byte[] end) {
    return below(successor(end));
  }

  /** Returns the keys that are both in this range and in the other, in this range's direction. */
  public KeyRange intersect(KeyRange other) {
    byte[] from = Arrays.compareUnsigned(low, other.low) >= 0 ? low : other.low;
    KeyRange both = new KeyRange(from, high, reversed);
    return other.high == null ? both : both.below(other.high);
  }

  /** Returns the same keys in the other order. */
  public KeyRange reversed() {
    return new KeyRange(low, high, !reversed);
  }

  /** Returns whether the range is walked from its greatest key to its least. */
  public boolean isReversed() {
    return reversed;
  }

  /** Returns whether no key can be in the range. */
  public boolean isEmpty() {
    return high != null && Arrays.compareUnsigned(low, high) >= 0;
  }

  /** Returns whether a key is in the range. */
  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(low, key) <= 0
        && (high == null || Arrays.compareUnsigned(key, high) < 0);
  }

  /** Returns the least key that could be in the range. */
  public byte[] low() {
    return low.clone();
  }

  /** Returns the least key above the range, or null when it has no upper end. */
  public byte @Nullable [] high() {
    return high == null ? null : high.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyRange that
        && Arrays.equals(low, that.low)
        && Arrays.equals(high, that.high)
        && reversed == that.reversed;
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(low), Arrays.hashCode(high), reversed);
  }

  @Override
  public String toString() {
    java.util.HexFormat hex = java.util.HexFormat.of();
    String end = high == null ? "..." : hex.formatHex(high);
    return "[%s, %s)%s".formatted(hex.formatHex(low), end, reversed ? " reversed" : "");
  }

  private KeyRange below(byte[] end) {
    boolean lower = high == null || Arrays.compareUnsigned(end, high) < 0;
    return lower ? new KeyRange(low, end, reversed) : this;
  }

  private static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }
}
