package io.github.coppicedb.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of keys that a layer hides in all <em>older</em> layers; the layer's own entries are not
 * hidden. Immutable, sorted, disjoint and not adjacent.
 */
public final class MaskedRanges {
  /** No range. */
  public static final MaskedRanges NONE = new MaskedRanges(List.of());

  private final List<Range> ranges;

  /**
   * One range.
   *
   * @param low the least key in it
   * @param high the least key above it, or null when it has no upper end
   */
  public record Range(byte[] low, byte @Nullable [] high) {
    /** Returns whether the first bytes of a buffer are a key inside. */
    public boolean contains(byte[] key, int length) {
      return compare(low, low.length, key, length) <= 0
          && (high == null || compare(key, length, high, high.length) < 0);
    }

    /** Returns whether any key is in both ranges, neither of which is empty. */
    public boolean meets(Range other) {
      return (other.high == null || Arrays.compareUnsigned(low, other.high) < 0)
          && (high == null || Arrays.compareUnsigned(other.low, high) < 0);
    }
  }

  private MaskedRanges(List<Range> ranges) {
    this.ranges = ranges;
  }

  /** Returns the ranges that cover what any of the given ones covers. */
  public static MaskedRanges of(List<Range> given) {
    if (given.isEmpty()) {
      return NONE;
    }
    List<Range> sorted = new ArrayList<>(given);
    sorted.sort(Comparator.comparing(Range::low, Arrays::compareUnsigned));
    List<Range> joined = new ArrayList<>();
    Range last = sorted.getFirst();
    for (Range range : sorted.subList(1, sorted.size())) {
      if (last.high == null || Arrays.compareUnsigned(range.low, last.high) <= 0) {
        last = new Range(last.low, higher(last.high, range.high));
      } else {
        joined.add(last);
        last = range;
      }
    }
    joined.add(last);
    return new MaskedRanges(List.copyOf(joined));
  }

  /** Returns the ranges that cover what either covers. */
  public MaskedRanges union(MaskedRanges other) {
    if (other.ranges.isEmpty()) {
      return this;
    }
    if (ranges.isEmpty()) {
      return other;
    }
    List<Range> all = new ArrayList<>(ranges);
    all.addAll(other.ranges);
    return of(all);
  }

  /** Returns the part that lies in [low, high); null ends are open. */
  public MaskedRanges clip(byte @Nullable [] low, byte @Nullable [] high) {
    List<Range> parts = new ArrayList<>();
    for (Range range : ranges) {
      byte[] from = low == null ? range.low : max(low, range.low);
      byte[] to = lower(high, range.high);
      if (to == null || Arrays.compareUnsigned(from, to) < 0) {
        parts.add(new Range(from, to));
      }
    }
    return parts.isEmpty() ? NONE : new MaskedRanges(List.copyOf(parts));
  }

  /** Returns whether there is no range. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Returns the ranges in order. */
  public List<Range> list() {
    return ranges;
  }

  /** Returns whether the first bytes of a buffer are a key that is hidden in older layers. */
  public boolean covers(byte[] key, int length) {
    return covering(key, length) != null;
  }

  /** Returns the range that covers a key, or null. */
  public @Nullable Range covering(byte[] key, int length) {
    int low = 0;
    int high = ranges.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Range range = ranges.get(middle);
      if (compare(range.low, range.low.length, key, length) > 0) {
        high = middle - 1;
      } else if (range.contains(key, length)) {
        return range;
      } else {
        low = middle + 1;
      }
    }
    return null;
  }

  /** Returns whether any key of [low, high) is covered; null ends are open. */
  public boolean intersects(byte @Nullable [] low, byte @Nullable [] high) {
    return !clip(low, high).isEmpty();
  }

  private static byte[] max(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b) >= 0 ? a : b;
  }

  private static byte @Nullable [] higher(byte @Nullable [] a, byte @Nullable [] b) {
    return a == null || b == null ? null : max(a, b);
  }

  private static byte @Nullable [] lower(byte @Nullable [] a, byte @Nullable [] b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return Arrays.compareUnsigned(a, b) <= 0 ? a : b;
  }

  private static int compare(byte[] a, int aLength, byte[] b, int bLength) {
    return Arrays.compareUnsigned(a, 0, aLength, b, 0, bLength);
  }
}
