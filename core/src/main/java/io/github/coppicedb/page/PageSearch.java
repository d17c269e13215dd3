package io.github.coppicedb.page;

import io.github.coppicedb.format.ByteArrays;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.CommonBytes;
import io.github.coppicedb.format.PackedPage;
import java.lang.foreign.MemorySegment;

/**
 * The search in a packed page: the last entry whose key is at most the sought key.
 *
 * <p>The sought key q is followed along the entries with m, the number of bytes that it shares with
 * the last entry known to be smaller. Let entry i be the next one. If lcp(i) &gt; m, it has the
 * same byte at m as its predecessor, which is less than q[m]: it is smaller too. If lcp(i) &lt; m,
 * it is greater at lcp(i) than its predecessor and so than q. If lcp(i) = m, its critical byte and
 * q[m] decide, and only when these are the same the rests are compared, from m + 1 on. With
 * critical numbers all of this is one comparison of 16 bits, so entries are skipped four at a time,
 * and sixteen at a time by the least number of their group. After D. E. Ferguson's Bit-Tree (CACM
 * 35(6), 1992). Once q is greater than an entry and shares m bytes with it, q has a byte at m.
 *
 * <p>A result is packed in a long, so that a search allocates nothing: read it with {@link #index},
 * {@link #exact} and {@link #shared}. Stateless, for any thread.
 */
public final class PageSearch {
  private static final long EVERY_LANE = 0x0001_0001_0001_0001L;
  private static final long HIGH_BITS = 0x8000_8000_8000_8000L;
  private static final int LINE = 64;
  private static final int USUAL_PAGE = 4096;

  private PageSearch() {}

  /** Returns the entry that was found, or -1 when the key is less than all keys of the page. */
  public static int index(long result) {
    return ((int) result >>> 1) - 1;
  }

  /** Returns whether the entry's key is the sought key. */
  public static boolean exact(long result) {
    return (result & 1) != 0;
  }

  /** Returns how many bytes the entry's key shares with the sought key; 0 for no entry. */
  public static int shared(long result) {
    return (int) (result >>> 32);
  }

  private static long result(int index, boolean exact, int shared) {
    return (long) shared << 32 | (index + 1L) << 1 | (exact ? 1 : 0);
  }

  /**
   * Reads a byte of each line where a page of the usual size lies, so that the cache fetches the
   * lines side by side, and not one after the other as a search gets to them: a random page lies in
   * memory, and all its lines together take less than twice the time of one. It does not even wait
   * for the page's header to tell its size.
   */
  public static void fetch(MemorySegment s, long page) {
    long end = Math.min(page + USUAL_PAGE, s.byteSize());
    int sum = 0;
    for (long at = page; at < end; at += LINE) {
      sum += Bytes.u8(s, at);
    }
    // Only a use of what was read keeps the reads in the compiled code.
    if (sum < 0) {
      throw new IllegalStateException("a sum of unsigned bytes is negative");
    }
  }

  /**
   * Finds the last entry that is at most the first {@code length} bytes of {@code key}.
   *
   * @param known how many bytes key 0 of the page is known to share with the key, from the search
   *     in the parent page
   */
  public static long floor(MemorySegment s, long page, byte[] key, int length, int known) {
    int n = PackedPage.count(s, page);
    long first = PackedPage.firstKeyAt(s, page, n);
    int firstLength = PackedPage.firstLength(s, page);
    int limit = Math.min(firstLength, length) - known;
    int m = known + CommonBytes.count(s, first + known, key, known, limit);
    if (m == length) {
      return m == firstLength ? result(0, true, m) : result(-1, false, 0);
    }
    if (m < firstLength && (key[m] & 0xFF) < Bytes.u8(s, first + m)) {
      return result(-1, false, 0);
    }
    return floorAfter(s, page, n, first + firstLength, key, length, m);
  }

  /** Goes on with a key that is greater than key 0 and shares m bytes with it. */
  private static long floorAfter(
      MemorySegment s, long page, int n, long rests, byte[] key, int length, int start) {
    int m = start;
    int leastLcp = PackedPage.leastLcp(s, page);
    long criticals = PackedPage.criticalsAt(page, n);
    int flags = PackedPage.flags(s, page);
    long starts = PackedPage.startsAt(page, n, flags);
    // In a narrow page the bits of the length count as the highest possible, so that they do not.
    boolean narrow = PackedPage.isNarrow(flags);
    int range = narrow ? PackedPage.NARROW_LCP_RANGE : PackedPage.LCP_RANGE;
    int shift = narrow ? PackedPage.NARROW_SHIFT : 0;
    int lengthBits = (1 << shift) - 1;
    for (int i = 1; i < n && m >= leastLcp; i++) {
      int over = m - leastLcp;
      int target = PackedPage.critical(over, key[m] & 0xFF) << shift | lengthBits;
      if (over <= range) {
        i = firstAtMost(s, page, criticals, n, i, target);
      }
      if (i >= n || (Bytes.u16(s, criticals + 2L * i) | lengthBits) != target) {
        return result(Math.min(i, n) - 1, false, m);
      }
      long group = rests + Bytes.u16(s, starts + 2L * (i >>> 4));
      long rest = PackedPage.restAfter(s, page, n, i, flags, group);
      int code = PackedPage.lengthCode(s, page, n, i, flags);
      int restLength = code;
      if (code >= (narrow ? PackedPage.NARROW_LONG_REST : PackedPage.LONG_REST)) {
        restLength = PackedPage.restLength(s, code, rest, flags);
        rest += PackedPage.restHead(code, restLength, flags);
      }
      int from = m + 1;
      int same = common(s, rest, key, from, Math.min(restLength, length - from));
      int next = from + same;
      if (next == length) {
        return same == restLength ? result(i, true, next) : result(i - 1, false, m);
      }
      if (same < restLength && (key[next] & 0xFF) < Bytes.u8(s, rest + same)) {
        return result(i - 1, false, m);
      }
      m = next;
    }
    return result(n - 1, false, m);
  }

  /** Most rests are short: all of one is compared at once where both sides go on so far. */
  private static int common(MemorySegment s, long rest, byte[] key, int from, int limit) {
    if (from + Long.BYTES <= key.length && rest + Long.BYTES <= s.byteSize()) {
      long differs = Bytes.i64(s, rest) ^ ByteArrays.i64(key, from);
      int same = Math.min(limit, Long.numberOfTrailingZeros(differs) >>> 3);
      if (same < Long.BYTES) {
        return same;
      }
    }
    return CommonBytes.count(s, rest, key, from, limit);
  }

  /** Returns the first entry from {@code from} on with a critical number of at most the target. */
  private static int firstAtMost(
      MemorySegment s, long page, long criticals, int n, int from, int target) {
    long wanted = target * EVERY_LANE;
    long least = PackedPage.leastAt(page);
    int groups = PackedPage.groups(n);
    for (int group = from >>> 4; group < groups; group++) {
      group = firstLane(s, least, group, groups, wanted);
      int begin = Math.max(from, group << 4);
      int end = Math.min(n, (group + 1) << 4);
      int i =
          begin < end && end == (group + 1) << 4
              ? firstOfGroup(s, criticals, group << 4, begin & 15, wanted)
              : firstLane(s, criticals, begin, end, wanted);
      if (i < end) {
        return i;
      }
    }
    return n;
  }

  /**
   * Returns the first entry of a whole group, from its lane {@code from} on, with a number of at
   * most the wanted one; the group's end if none is. All lanes are looked at, as a branch would be
   * guessed wrong.
   */
  private static int firstOfGroup(
      MemorySegment s, long criticals, int begin, int from, long wanted) {
    long at = criticals + 2L * begin;
    int hits =
        bits(atMost(Bytes.i64(s, at), wanted))
            | bits(atMost(Bytes.i64(s, at + 8), wanted)) << 4
            | bits(atMost(Bytes.i64(s, at + 16), wanted)) << 8
            | bits(atMost(Bytes.i64(s, at + 24), wanted)) << 12
            | 1 << 16;
    return begin + Integer.numberOfTrailingZeros(hits & (-1 << from));
  }

  /** Returns the high bits of the four lanes side by side. */
  private static int bits(long highBits) {
    return (int) (((highBits >>> 15) * 0x0001_0002_0004_0008L) >>> 48);
  }

  /**
   * Returns the first of the 16-bit numbers in [from, end) that is at most the number that stands
   * four times in {@code wanted}; {@code end} if none is. The last four are read with some before
   * them, which are part of the page, rather than with what may not be.
   */
  private static int firstLane(MemorySegment s, long at, int from, int end, long wanted) {
    long lanes = -1L << ((from & 3) << 4);
    for (int i = from & -4; i < end; i += 4) {
      int over = Math.max(0, i + 4 - end);
      long numbers = Bytes.i64(s, at + 2L * (i - over)) >>> (over << 4);
      long hits = atMost(numbers, wanted) & lanes;
      if (hits != 0) {
        return Math.min(end, i + (Long.numberOfTrailingZeros(hits) >>> 4));
      }
      lanes = -1;
    }
    return end;
  }

  /** Sets the high bit of each lane of {@code numbers} that is at most that of {@code wanted}. */
  private static long atMost(long numbers, long wanted) {
    long lowBits = (wanted | HIGH_BITS) - (numbers & ~HIGH_BITS);
    return ((wanted & ~numbers) | (~(wanted ^ numbers) & lowBits)) & HIGH_BITS;
  }
}
