package io.github.coppicedb.format;

import java.lang.foreign.MemorySegment;

/**
 * The packed page: a sorted set of entries as one immutable string of bytes, searched as it stands.
 * All numbers are little-endian; the page starts at a multiple of 64 in its tree.
 *
 * <p>Entries are ordered by key as unsigned bytes, a prefix before what it is a prefix of. Entry i
 * &gt; 0 shares its first lcp(i) bytes with entry i-1, and differs at byte lcp(i), where it has its
 * <em>critical byte</em> b(i). What it shares is not stored again. P is the least lcp(i) of i &gt;
 * 0, and no lcp(i) exceeds P + 255. After D. E. Ferguson's Bit-Tree (CACM 35(6), 1992), at the
 * grain of bytes.
 *
 * <p>Most pages are <em>narrow</em>: no lcp(i) exceeds P + 15. Then the length of a short rest
 * stands in the low bits of the critical number, where it does not disturb the order.
 *
 * <pre>
 *   0  u32 crc32c of the page from byte 4 on
 *   4  u32 size of the page in bytes
 *   8  u16 n, number of entries, at least 1
 *  10  u8  level, 0 = leaf
 *  11  u8  flags, bit 0 = has values, bit 1 = narrow, bit 2 = one value, bit 3 = values are coded
 *          by the first one, bit 4 = values are coded alone
 *  12  u32 P, 0 when n = 1
 *  16  u32 bytes shared by key 0 and the last key of the previous page of this level, or 0
 *  20  u32 length of key 0
 *  24  u16 least critical[g] of each group of 16 entries, entry 0 left out
 *      u16 critical[n] = (lcp(i) - P) &lt;&lt; 8 | (255 - b(i)), and 65535 for entry 0;
 *          narrow: the same shifted left by 4, 65520 for entry 0, and in the low 4 bits the length
 *          of the rest of the key after the critical byte; 15 = a u8 length of at least 15 stands
 *          before the rest, and when that is 255 a u32 length of at least 255 behind it
 *      not narrow: u8 length[n] of the rest, 0 for entry 0; 255 = a u32 length stands before it
 *      u16 start[g] of the rest of each group's first entry, counted from the end of key 0
 *      inner page: u32 child[n], address / 64
 *      leaf with values: u8 value code[n], u32 value start[g] of each group, from the page's begin;
 *          with one value: one code and one start, which are those of all entries
 *      key 0, then the rests, then the values
 * </pre>
 *
 * A leaf without values holds puts of empty values only. Value codes: 0 to 250 = length; 251 = u32
 * length stands before the bytes; 252 = a put of the value of the entry before, which is a put; 253
 * = a {@link ValueReference}; 255 = tombstone; 254 is not used.
 *
 * <p>In a leaf with <em>coded</em> values, the bytes of a put that has some are a {@link
 * CodedValue}: by the first one, whose base is the value of entry 0, a put that has bytes and is
 * stored as it is; or alone, without a base.
 *
 * <p>Stateless accessors, for any thread. They trust the page: see PageChecker.
 */
public final class PackedPage {
  /** Pages start at multiples of this. */
  public static final int ALIGNMENT = 64;

  /** Number of entries in a group. */
  public static final int GROUP = 16;

  /** Place: checksum of the page from {@link #CHECKED_FROM} on. */
  public static final int CRC = 0;

  /** Place: size of the page in bytes. */
  public static final int SIZE = CRC + Integer.BYTES;

  /** Place: number of entries. */
  public static final int COUNT = SIZE + Integer.BYTES;

  /** Place: level. */
  public static final int LEVEL = COUNT + Short.BYTES;

  /** Place: flags. */
  public static final int FLAGS = LEVEL + Byte.BYTES;

  /** Place: least lcp. */
  public static final int LEAST_LCP = FLAGS + Byte.BYTES;

  /** Place: bytes shared by key 0 and the last key of the previous page of this level. */
  public static final int FIRST_LCP = LEAST_LCP + Integer.BYTES;

  /** Place: length of key 0. */
  public static final int FIRST_LENGTH = FIRST_LCP + Integer.BYTES;

  /** Size of the fixed part in bytes. */
  public static final int HEADER = FIRST_LENGTH + Integer.BYTES;

  /** First byte of the checksummed part. */
  public static final int CHECKED_FROM = SIZE;

  /** Flag of a leaf with values. */
  public static final int HAS_VALUES = 1;

  /** Flag of a page whose critical numbers hold the lengths. */
  public static final int NARROW = 2;

  /** Flag of a leaf with values whose entries all have the same one. */
  public static final int ONE_VALUE = 4;

  /** Flag of a leaf whose values are coded by that of entry 0. */
  public static final int CODED_BY_FIRST = 8;

  /** Flag of a leaf whose values are coded, each alone. */
  public static final int CODED_ALONE = 16;

  /** The critical number of entry 0. */
  public static final int NO_CRITICAL = 0xFFFF;

  /** The most that an lcp may exceed the least lcp of its page. */
  public static final int LCP_RANGE = 255;

  /** The most that an lcp may exceed the least lcp of a narrow page. */
  public static final int NARROW_LCP_RANGE = 15;

  /** A rest of a key of at least this length has a u32 length before it. */
  public static final int LONG_REST = 255;

  /** In a narrow page a rest of a key of at least this length has a u8 length before it. */
  public static final int NARROW_LONG_REST = 15;

  /** By how many bits the critical numbers of a narrow page are shifted. */
  public static final int NARROW_SHIFT = 4;

  /** The greatest value code that is a length. */
  public static final int SHORT_VALUE = 250;

  /** Value code: the length stands before the bytes. */
  public static final int LONG_VALUE = 251;

  /** Value code: a put of the value of the entry before. */
  public static final int SAME_VALUE = 252;

  /** Value code: a reference. */
  public static final int LARGE_VALUE = 253;

  /** Value code: the key is deleted. */
  public static final int TOMBSTONE = 255;

  private static final long EVERY_LANE = 0x0001_0001_0001_0001L;
  private static final long CODE_LANES = 0x000F_000F_000F_000FL;
  private static final long ABOVE_CODES = 0x0010_0010_0010_0010L;
  private static final long EVEN_BYTES = 0x00FF_00FF_00FF_00FFL;
  private static final long EVERY_BYTE = 0x0101_0101_0101_0101L;
  private static final long ALL_SAME = 0xFCFC_FCFC_FCFC_FCFCL;
  private static final long LOW_BITS = 0x7F7F_7F7F_7F7F_7F7FL;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private PackedPage() {}

  /** Returns the checksum that stands in the page. */
  public static int crc(MemorySegment s, long page) {
    return Bytes.i32(s, page + CRC);
  }

  /** Returns the page's size in bytes, without what fills it up to the alignment. */
  public static long size(MemorySegment s, long page) {
    return Bytes.u32(s, page + SIZE);
  }

  /** Returns the number of entries. */
  public static int count(MemorySegment s, long page) {
    return Bytes.u16(s, page + COUNT);
  }

  /** Returns the level, 0 for a leaf. */
  public static int level(MemorySegment s, long page) {
    return Bytes.u8(s, page + LEVEL);
  }

  /** Returns the flags. */
  public static int flags(MemorySegment s, long page) {
    return Bytes.u8(s, page + FLAGS);
  }

  /** Returns the least lcp of the entries after the first. */
  public static int leastLcp(MemorySegment s, long page) {
    return Bytes.i32(s, page + LEAST_LCP);
  }

  /** Returns how many bytes key 0 shares with the last key of the previous page of its level. */
  public static int firstLcp(MemorySegment s, long page) {
    return Bytes.i32(s, page + FIRST_LCP);
  }

  /** Returns the length of key 0. */
  public static int firstLength(MemorySegment s, long page) {
    return Bytes.i32(s, page + FIRST_LENGTH);
  }

  /** Returns whether a leaf has values; else all its entries are puts of empty values. */
  public static boolean hasValues(MemorySegment s, long page) {
    return (flags(s, page) & HAS_VALUES) != 0;
  }

  /** Returns whether all entries of a leaf with values have the same one. */
  public static boolean isOneValue(int flags) {
    return (flags & ONE_VALUE) != 0;
  }

  /** Returns how many value codes a leaf with values has. */
  public static int codes(int n, int flags) {
    return isOneValue(flags) ? 1 : n;
  }

  /** Returns whether the critical numbers hold the lengths of the rests. */
  public static boolean isNarrow(int flags) {
    return (flags & NARROW) != 0;
  }

  /** Writes the fixed part but for the checksum. */
  public static void writeHeader(
      MemorySegment s, int size, int n, int level, int flags, int leastLcp, int firstLcp) {
    Bytes.put32(s, SIZE, size);
    Bytes.put16(s, COUNT, n);
    Bytes.put8(s, LEVEL, level);
    Bytes.put8(s, FLAGS, flags);
    Bytes.put32(s, LEAST_LCP, leastLcp);
    Bytes.put32(s, FIRST_LCP, firstLcp);
  }

  /** Writes the length of key 0. */
  public static void writeFirstLength(MemorySegment s, int length) {
    Bytes.put32(s, FIRST_LENGTH, length);
  }

  /** Computes and writes the checksum of a page that starts at the segment's begin. */
  public static void seal(MemorySegment s, int size) {
    Bytes.put32(s, CRC, Checksum.crc32c(s, CHECKED_FROM, size - CHECKED_FROM));
  }

  /** Returns the number of groups of n entries. */
  public static int groups(int n) {
    return (n + GROUP - 1) >>> 4;
  }

  /** Returns the next multiple of the alignment. */
  public static long align(long address) {
    return (address + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Returns where the least critical numbers of the groups stand. */
  public static long leastAt(long page) {
    return page + HEADER;
  }

  /** Returns where the critical numbers stand. */
  public static long criticalsAt(long page, int n) {
    return page + HEADER + 2L * groups(n);
  }

  /** Returns where the lengths of the rests stand in a page that is not narrow. */
  public static long lengthsAt(long page, int n) {
    return criticalsAt(page, n) + 2L * n;
  }

  /** Returns where the starts of the groups' rests stand. */
  public static long startsAt(long page, int n, int flags) {
    return lengthsAt(page, n) + (isNarrow(flags) ? 0 : n);
  }

  /** Returns where the children of an inner page, or the value codes of a leaf stand. */
  public static long payloadAt(long page, int n, int flags) {
    return startsAt(page, n, flags) + 2L * groups(n);
  }

  /** Returns where the starts of the groups' values stand. */
  public static long valueStartsAt(long page, int n, int flags) {
    return payloadAt(page, n, flags) + codes(n, flags);
  }

  /** Returns the bytes before key 0, from the page's begin. */
  public static int arraysSize(int n, boolean inner, int flags) {
    int fixed = (int) payloadAt(0, n, flags);
    if (inner) {
      return fixed + 4 * n;
    }
    int codes = codes(n, flags);
    return (flags & HAS_VALUES) != 0 ? fixed + codes + 4 * groups(codes) : fixed;
  }

  /** Returns where key 0 stands. */
  public static long firstKeyAt(MemorySegment s, long page, int n) {
    return page + arraysSize(n, level(s, page) > 0, flags(s, page));
  }

  /** Returns where the rest of entry 1 stands, or would stand. */
  public static long restsAt(MemorySegment s, long page, int n) {
    return firstKeyAt(s, page, n) + firstLength(s, page);
  }

  /** Returns the bytes of a page up to where its values begin. */
  public static long keysSize(MemorySegment s, long page, int n) {
    int flags = flags(s, page);
    return (flags & HAS_VALUES) != 0 ? Bytes.u32(s, valueStartsAt(page, n, flags)) : size(s, page);
  }

  /** Returns the critical number of an entry, shifted back if the page is narrow. */
  public static int critical(MemorySegment s, long page, int n, int i) {
    int stored = storedCritical(s, page, n, i);
    return isNarrow(flags(s, page)) ? stored >>> NARROW_SHIFT : stored;
  }

  /** Returns the critical number of an entry as it stands in the page. */
  public static int storedCritical(MemorySegment s, long page, int n, int i) {
    return Bytes.u16(s, criticalsAt(page, n) + 2L * i);
  }

  /** Returns the form in which a critical number stands in the page. */
  public static int storedCritical(int critical, int lengthCode, int flags) {
    return isNarrow(flags) ? (critical << NARROW_SHIFT | lengthCode) & 0xFFFF : critical;
  }

  /**
   * Returns the code of the length of an entry's rest: the length, or in the page's way that it
   * stands before the rest: see {@link #restLength} and {@link #restHead}.
   */
  public static int lengthCode(MemorySegment s, long page, int n, int i, int flags) {
    return isNarrow(flags)
        ? storedCritical(s, page, n, i) & NARROW_LONG_REST
        : Bytes.u8(s, lengthsAt(page, n) + i);
  }

  /** Returns the length of a rest that stands, with what is before it, at an address. */
  public static int restLength(MemorySegment s, int code, long at, int flags) {
    if (!isNarrow(flags)) {
      return code < LONG_REST ? code : Bytes.i32(s, at);
    }
    if (code < NARROW_LONG_REST) {
      return code;
    }
    int length = Bytes.u8(s, at);
    return length < LONG_REST ? length : Bytes.i32(s, at + 1);
  }

  /** Returns how many bytes stand before a rest to tell its length. */
  public static int restHead(int code, int length, int flags) {
    if (isNarrow(flags) && code == NARROW_LONG_REST) {
      return length < LONG_REST ? Byte.BYTES : Byte.BYTES + Integer.BYTES;
    }
    return code == LONG_REST ? Integer.BYTES : 0;
  }

  /** Writes the length of a long rest before it. */
  public static void writeRestHead(MemorySegment s, long at, int length, int flags) {
    if (!isNarrow(flags)) {
      Bytes.put32(s, at, length);
    } else if (length < LONG_REST) {
      Bytes.put8(s, at, length);
    } else {
      Bytes.put8(s, at, LONG_REST);
      Bytes.put32(s, at + 1, length);
    }
  }

  /** Returns the code of the length of a rest. */
  public static int lengthCode(int length, int flags) {
    return Math.min(length, isNarrow(flags) ? NARROW_LONG_REST : LONG_REST);
  }

  /** Returns how much a critical number's lcp exceeds the least one. */
  public static int lcpOver(int critical) {
    return critical >>> 8;
  }

  /** Returns a critical number's byte. */
  public static int criticalByte(int critical) {
    return 255 - (critical & 0xFF);
  }

  /** Returns the critical number of an lcp and a byte. */
  public static int critical(int lcpOver, int criticalByte) {
    return lcpOver << 8 | (255 - criticalByte);
  }

  /**
   * Returns where the rest of entry i &gt; 0 stands; a long rest's length stands there, before it.
   */
  public static long restAt(MemorySegment s, long page, int n, int i, int flags) {
    long starts = startsAt(page, n, flags);
    long start = restsAt(s, page, n) + Bytes.u16(s, starts + 2L * (i >>> 4));
    return restAfter(s, page, n, i, flags, start);
  }

  /** Returns where the rest of entry i &gt; 0 stands, from where the first of its group does. */
  public static long restAfter(MemorySegment s, long page, int n, int i, int flags, long start) {
    int group = i & -GROUP;
    int before = i & (GROUP - 1);
    if (isNarrow(flags)) {
      return start + narrowRests(s, page, criticalsAt(page, n) + 2L * group, start, before);
    }
    long lengths = lengthsAt(page, n);
    // The lengths are read backwards, as what stands before them is part of the page.
    long near = lastBytes(s, lengths + i, Math.min(before, 8));
    long far = lastBytes(s, lengths + i - 8, Math.max(before - 8, 0));
    if (hasByte255(near) || hasByte255(far)) {
      return start + longRests(s, lengths + group, start, before);
    }
    return start + sumOfBytes(near) + sumOfBytes(far);
  }

  /** Sums without a branch on how many there are, as that would be guessed wrong. */
  private static long narrowRests(
      MemorySegment s, long page, long criticals, long start, int before) {
    long end = criticals + 2L * before;
    long a = lastCodes(s, page, end, before);
    long b = lastCodes(s, page, end - 8, before - 4);
    long c = lastCodes(s, page, end - 16, before - 8);
    long d = lastCodes(s, page, end - 24, before - 12);
    long long15 = (a + EVERY_LANE) | (b + EVERY_LANE) | (c + EVERY_LANE) | (d + EVERY_LANE);
    if ((long15 & ABOVE_CODES) == 0) {
      return ((a + b + c + d) * EVERY_LANE) >>> 48;
    }
    long sum = 0;
    for (int k = 0; k < before; k++) {
      int code = Bytes.u16(s, criticals + 2L * k) & NARROW_LONG_REST;
      int length = restLength(s, code, start + sum, NARROW);
      sum += length + restHead(code, length, NARROW);
    }
    return sum;
  }

  /** Returns the codes in the {@code count} numbers before an address, at most four of them. */
  private static long lastCodes(MemorySegment s, long page, long end, int count) {
    // Read backwards, as what stands before them is part of the page, or it is of no use. Shifted
    // in two steps, as a shift by 64 would be one by 0.
    int away = 8 * (4 - Math.clamp(count, 0, 4));
    return (Bytes.i64(s, Math.max(page, end - 8)) >>> away >>> away) & CODE_LANES;
  }

  private static long longRests(MemorySegment s, long lengths, long start, int before) {
    long sum = 0;
    for (int k = 0; k < before; k++) {
      int length = Bytes.u8(s, lengths + k);
      sum += length < LONG_REST ? length : 4 + Bytes.u32(s, start + sum);
    }
    return sum;
  }

  /** Returns the child of an entry of an inner page, an address in the tree. */
  public static long child(MemorySegment s, long page, int n, int i) {
    return Bytes.u32(s, payloadAt(page, n, flags(s, page)) + 4L * i) * ALIGNMENT;
  }

  /** Returns the value code of an entry of a leaf that has values. */
  public static int valueCode(MemorySegment s, long page, int n, int i) {
    int flags = flags(s, page);
    return Bytes.u8(s, payloadAt(page, n, flags) + (isOneValue(flags) ? 0 : i));
  }

  /**
   * Returns the entry that holds the value of an entry i with {@link #SAME_VALUE}, or {@code known}
   * or less if none holds it behind that one.
   */
  public static int valueHolder(MemorySegment s, long page, int n, int i, int known) {
    long codes = payloadAt(page, n, flags(s, page));
    // Backwards, as what stands before the codes is part of the page. Entry 0 holds its value.
    for (int end = i; end > known; end -= Long.BYTES) {
      long others = Bytes.i64(s, codes + end - Long.BYTES) ^ ALL_SAME;
      if (others != 0) {
        return end - 1 - (Long.numberOfLeadingZeros(others) >>> 3);
      }
    }
    return known;
  }

  /**
   * Returns where the value stands that an entry holds itself; a long value's length stands there,
   * before it. Where all entries have one value, entry 0 holds it.
   */
  public static long valueAt(MemorySegment s, long page, int n, int i) {
    int flags = flags(s, page);
    int group = isOneValue(flags) ? 0 : i >>> 4;
    long codes = payloadAt(page, n, flags);
    long start = page + Bytes.u32(s, valueStartsAt(page, n, flags) + 4L * group);
    if (isOneValue(flags)) {
      return start;
    }
    int before = i & (GROUP - 1);
    long near = lastBytes(s, codes + i, Math.min(before, 8));
    long far = lastBytes(s, codes + i - 8, Math.max(before - 8, 0));
    if (hasByteAbove250(near) || hasByteAbove250(far)) {
      near = withoutBytes252And255(near);
      far = withoutBytes252And255(far);
      if (hasByteAbove250(near) || hasByteAbove250(far)) {
        return start + codedValues(s, codes + (group << 4), start, before);
      }
    }
    return start + sumOfBytes(near) + sumOfBytes(far);
  }

  private static long codedValues(MemorySegment s, long codes, long start, int before) {
    long sum = 0;
    for (int k = 0; k < before; k++) {
      sum += valueBytes(s, Bytes.u8(s, codes + k), start + sum);
    }
    return sum;
  }

  /** Returns whether the bytes that an entry holds, if any, are those of a coded value. */
  public static boolean isCoded(int flags, int i, int code) {
    boolean isCoded = (flags & CODED_ALONE) != 0 || ((flags & CODED_BY_FIRST) != 0 && i > 0);
    return isCoded && code <= LONG_VALUE && code > 0;
  }

  /** Returns how many bytes of the value of entry 0 are the base of others. */
  public static int baseLength(MemorySegment s, long page, int n, int flags) {
    if ((flags & CODED_BY_FIRST) == 0) {
      return 0;
    }
    long length = valueLength(s, valueCode(s, page, n, 0), valueAt(s, page, n, 0));
    return (int) Math.min(length, CodedValue.LONGEST_BASE);
  }

  /** Returns where the base stands, if there is one. */
  public static long baseAt(MemorySegment s, long page, int n) {
    return valueAt(s, page, n, 0) + valueHead(valueCode(s, page, n, 0));
  }

  /** Returns how many bytes a value takes where it is held, its length before it told. */
  public static long valueBytes(MemorySegment s, int code, long valueAt) {
    return valueHead(code) + valueLength(s, code, valueAt);
  }

  /** Returns how many bytes stand before the value itself. */
  public static int valueHead(int code) {
    return code == LONG_VALUE ? 4 : 0;
  }

  /** Returns the length of a value, or of the reference to it. */
  public static long valueLength(MemorySegment s, int code, long valueAt) {
    if (code <= SHORT_VALUE) {
      return code;
    }
    return switch (code) {
      case LONG_VALUE -> Bytes.u32(s, valueAt);
      case LARGE_VALUE -> ValueReference.BYTES;
      default -> 0;
    };
  }

  /** Returns whether a value code, a byte, is one that is used. */
  public static boolean isValueCode(int code) {
    return code <= SAME_VALUE || code == LARGE_VALUE || code == TOMBSTONE;
  }

  /** Returns the kind of entry that a value code says, one of {@link EntryKind}. */
  public static byte kind(int code) {
    if (code <= SAME_VALUE) {
      return EntryKind.PUT;
    }
    return code == LARGE_VALUE ? EntryKind.LARGE : EntryKind.TOMBSTONE;
  }

  /** Returns the {@code count} bytes before an address, 0 to 8 of them, the others zero. */
  private static long lastBytes(MemorySegment s, long end, int count) {
    // In two steps, as a shift by 64 would be one by 0.
    int away = 4 * (8 - count);
    return Bytes.i64(s, end - 8) >>> away >>> away;
  }

  private static boolean hasByte255(long word) {
    return ((~word - EVERY_BYTE) & word & HIGH_BITS) != 0;
  }

  private static boolean hasByteAbove250(long word) {
    return (((word & LOW_BITS) + 5 * EVERY_BYTE) & word & HIGH_BITS) != 0;
  }

  /** Makes zero what stands for no bytes: the value of the entry before, and a tombstone. */
  private static long withoutBytes252And255(long word) {
    long zeros = highBitsOfZeros(word ^ ALL_SAME) | highBitsOfZeros(~word);
    return word & ~((zeros >>> 7) * 255);
  }

  private static long highBitsOfZeros(long word) {
    return ~(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS);
  }

  private static long sumOfBytes(long word) {
    long pairs = (word & EVEN_BYTES) + ((word >>> 8) & EVEN_BYTES);
    return (pairs * 0x0001_0001_0001_0001L) >>> 48;
  }
}
