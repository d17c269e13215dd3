package io.github.coppicedb.page;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.ByteArrays;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.Checksum;
import io.github.coppicedb.format.CodedValue;
import io.github.coppicedb.format.PackedPage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Checks a packed page that was read from a file: first its size and checksum, then every field. A
 * page that passed has all that its accessors and the search read inside its own bytes, and its
 * keys in order. Stateless but for the walk of one check; for any thread.
 */
public final class PageChecker {
  /** More bytes of keys than this are in no page. */
  private static final int MOST_KEY_BYTES = 1 << 30;

  private static final int CODINGS = PackedPage.CODED_BY_FIRST | PackedPage.CODED_ALONE;

  private static final int VALUE_FLAGS = PackedPage.ONE_VALUE | CODINGS;

  private final MemorySegment s;
  private final long page;
  private final String file;
  private final long fileOffset;
  private final int n;
  private final long size;
  private final int flags;

  // The page up to its values, and the place in it behind what the walk has read.
  private byte[] copy = {};
  private int keysEnd;
  private int rests;
  private int restAt;

  // The key that the walk is on. Both arrays go on for some bytes behind what they hold.
  private byte[] key = {};
  private int keyLength;

  private PageChecker(MemorySegment s, long page, String file, long fileOffset) {
    this.s = s;
    this.page = page;
    this.file = file;
    this.fileOffset = fileOffset;
    this.n = PackedPage.count(s, page);
    this.size = PackedPage.size(s, page);
    this.flags = PackedPage.flags(s, page);
  }

  /**
   * Checks that a page lies inside its segment.
   *
   * @param file the file's name, for the message
   * @param fileOffset the page's place in the file, for the message
   * @return the page's size in bytes
   */
  public static long checkSize(MemorySegment s, long page, String file, long fileOffset) {
    long room = s.byteSize() - page;
    if (page < 0 || room < PackedPage.HEADER) {
      throw new CorruptionException(file, fileOffset, "a page", "the end of the pages");
    }
    long size = PackedPage.size(s, page);
    if (size < PackedPage.HEADER || size > room) {
      throw new CorruptionException(
          file, fileOffset, "a page of " + PackedPage.HEADER + " to " + room + " bytes", "" + size);
    }
    return size;
  }

  /**
   * Checks that a page lies inside its segment and has the checksum that it says.
   *
   * @param file the file's name, for the message
   * @param fileOffset the page's place in the file, for the message
   * @return the page's size in bytes
   */
  public static long checkBytes(MemorySegment s, long page, String file, long fileOffset) {
    long size = checkSize(s, page, file, fileOffset);
    int crc = Checksum.crc32c(s, page + PackedPage.CHECKED_FROM, size - PackedPage.CHECKED_FROM);
    if (crc != PackedPage.crc(s, page)) {
      throw new CorruptionException(
          file, fileOffset, "page checksum " + hex(PackedPage.crc(s, page)), hex(crc));
    }
    return size;
  }

  /**
   * Checks the fixed part of a page whose bytes were checked: that its arrays and key 0 lie inside.
   */
  public static void checkHeader(MemorySegment s, long page, String file, long fileOffset) {
    new PageChecker(s, page, file, fileOffset).header();
  }

  /**
   * Checks the fields of a page whose bytes were checked, but for the keys behind the first one and
   * what is said of their groups: a walk can check these as it goes.
   *
   * @return the bytes of the page before its values, where the rests of the keys have to end
   */
  public static int checkFrame(MemorySegment s, long page, String file, long fileOffset) {
    return new PageChecker(s, page, file, fileOffset).frame();
  }

  /** Checks all fields of a page whose bytes were checked. */
  public static void checkFields(MemorySegment s, long page, String file, long fileOffset) {
    PageChecker checker = new PageChecker(s, page, file, fileOffset);
    checker.keys(checker.frame());
  }

  private int frame() {
    header();
    int end = firstKey();
    values(page + end);
    return end;
  }

  private void header() {
    boolean inner = PackedPage.level(s, page) > 0;
    require(n > 0, "entries", "none");
    boolean hasValues = !inner && PackedPage.hasValues(s, page);
    int known =
        PackedPage.NARROW | (inner ? 0 : PackedPage.HAS_VALUES) | (hasValues ? VALUE_FLAGS : 0);
    require((flags & ~known) == 0 && isOneCoding(), "known flags", "" + flags);
    long first = PackedPage.firstLength(s, page);
    long arrays = PackedPage.arraysSize(n, inner, flags);
    require(first >= 0 && arrays + first <= size, "key 0 inside the page", first + " bytes");
    long least = PackedPage.leastLcp(s, page);
    require(least >= 0 && least <= first, "a least lcp of at most " + first, "" + least);
    long lcp = PackedPage.firstLcp(s, page);
    require(lcp == 0 || (lcp > 0 && lcp < first), "lcp of key 0 below " + first, "" + lcp);
  }

  /** Values are coded in one way at most; by the first one only if there is another one. */
  private boolean isOneCoding() {
    return (flags & CODINGS) != CODINGS
        && ((flags & PackedPage.CODED_BY_FIRST) == 0 || !PackedPage.isOneValue(flags));
  }

  /** Checks what is said of entry 0 and returns how many bytes stand before the values. */
  private int firstKey() {
    int leastLcp = PackedPage.leastLcp(s, page);
    require(n > 1 || leastLcp == 0, "no least lcp of one key", "" + leastLcp);
    int none = PackedPage.storedCritical(PackedPage.NO_CRITICAL, 0, flags);
    require(PackedPage.storedCritical(s, page, n, 0) == none, "no critical 0", "one");
    require(PackedPage.lengthCode(s, page, n, 0, flags) == 0, "no rest of key 0", "one");
    long end = size;
    if (PackedPage.hasValues(s, page)) {
      end = Math.min(size, Bytes.u32(s, PackedPage.valueStartsAt(page, n, flags)));
    }
    long least = PackedPage.restsAt(s, page, n) - page;
    require(end >= least && end <= MOST_KEY_BYTES, "keys before the values", "" + end);
    return (int) end;
  }

  /**
   * Walks the keys, whose rests have to end where the values begin. Works in a copy in heap, for
   * that is faster.
   */
  private void keys(int end) {
    int leastLcp = PackedPage.leastLcp(s, page);
    int first = (int) (PackedPage.firstKeyAt(s, page, n) - page);
    keyLength = PackedPage.firstLength(s, page);
    keysEnd = end;
    copy = new byte[keysEnd + ByteArrays.SLACK];
    Bytes.copy(s, page, copy, 0, keysEnd);
    key = Arrays.copyOfRange(copy, first, first + Math.max(128, keyLength) + ByteArrays.SLACK);
    rests = first + keyLength;
    restAt = rests;
    int leastOver = n == 1 ? 0 : PackedPage.LCP_RANGE;
    for (int from = 0; from < n; from += PackedPage.GROUP) {
      leastOver = Math.min(leastOver, group(from, leastLcp));
    }
    require(leastOver == 0, "an entry with the least lcp " + leastLcp, "none");
    require(restAt == keysEnd, "rests that end at " + keysEnd, "" + restAt);
  }

  /** Walks the keys of a group; returns how much an lcp exceeds the least one at least. */
  private int group(int from, int leastLcp) {
    int group = from / PackedPage.GROUP;
    int start = Bytes.u16(s, PackedPage.startsAt(page, n, flags) + 2L * group);
    if (start != restAt - rests) {
      throw damage("rests of entry " + from + " at " + (restAt - rests), "" + start);
    }
    int criticals = (int) PackedPage.criticalsAt(0, n);
    int lengths = (int) PackedPage.lengthsAt(0, n);
    boolean narrow = PackedPage.isNarrow(flags);
    int shift = narrow ? PackedPage.NARROW_SHIFT : 0;
    int least = PackedPage.NO_CRITICAL;
    for (int i = Math.max(1, from); i < Math.min(n, from + PackedPage.GROUP); i++) {
      int stored = ByteArrays.u16(copy, criticals + 2 * i);
      least = Math.min(least, stored);
      int code = narrow ? stored & PackedPage.NARROW_LONG_REST : copy[lengths + i] & 0xFF;
      entry(i, stored >>> shift, code, leastLcp);
    }
    int found = Bytes.u16(s, PackedPage.leastAt(page) + 2L * group);
    if (found != least) {
      throw damage("least critical number " + least, "" + found);
    }
    return PackedPage.lcpOver(least >>> shift);
  }

  private void entry(int i, int critical, int code, int leastLcp) {
    int lcp = leastLcp + PackedPage.lcpOver(critical);
    int criticalByte = PackedPage.criticalByte(critical);
    if (lcp > keyLength) {
      throw damage("lcp of entry " + i + " at most " + keyLength, "" + lcp);
    }
    if (lcp < keyLength && (key[lcp] & 0xFF) >= criticalByte) {
      throw damage("entry " + i + " greater than the last", "byte " + criticalByte + " at " + lcp);
    }
    boolean isLong = code == PackedPage.lengthCode(Integer.MAX_VALUE, flags);
    int length = isLong ? longRest(code) : code;
    requireRest(length);
    keyLength = lcp + 1 + length;
    if (keyLength + ByteArrays.SLACK > key.length) {
      key = Arrays.copyOf(key, Math.max(keyLength, 2 * key.length) + ByteArrays.SLACK);
    }
    key[lcp] = (byte) criticalByte;
    ByteArrays.copy(copy, restAt, key, lcp + 1, length);
    restAt += length;
  }

  /** Goes behind the length of a long rest and returns it. */
  private int longRest(int code) {
    // So many bytes are there at least, or this is no page: what is read behind it is its slack.
    requireRest(1);
    MemorySegment bytes = MemorySegment.ofArray(copy);
    int length = PackedPage.restLength(bytes, code, restAt, flags);
    int head = PackedPage.restHead(code, length, flags);
    boolean wordFollows = !PackedPage.isNarrow(flags) || (copy[restAt] & 0xFF) == 0xFF;
    // In its one way: one told as four bytes is too long for one.
    int least = wordFollows ? PackedPage.LONG_REST : PackedPage.NARROW_LONG_REST;
    if (length < least) {
      throw damage("a rest of a length that is told as " + code, "" + length);
    }
    requireRest(head);
    restAt += head;
    return length;
  }

  private void requireRest(int length) {
    if (length > keysEnd - restAt) {
      throw damage("the rest of a key before byte " + keysEnd, length + " bytes at " + restAt);
    }
  }

  private void values(long valuesAt) {
    long at = valuesAt;
    if (PackedPage.hasValues(s, page)) {
      int before = PackedPage.TOMBSTONE;
      for (int i = 0; i < PackedPage.codes(n, flags); i++) {
        if (i % PackedPage.GROUP == 0) {
          long start =
              Bytes.u32(s, PackedPage.valueStartsAt(page, n, flags) + i / PackedPage.GROUP * 4L);
          if (start != at - page) {
            throw damage("value " + i + " at " + (at - page), "" + start);
          }
        }
        int code = PackedPage.valueCode(s, page, n, i);
        long end = value(code, before, at);
        if (PackedPage.isCoded(flags, i, code)) {
          coded(i, at + PackedPage.valueHead(code), end);
        }
        at = end;
        before = code;
      }
    }
    require(at == page + size, "the page's end at " + size, "" + (at - page));
  }

  private long value(int code, int before, long at) {
    if (code == PackedPage.SAME_VALUE && before > PackedPage.SAME_VALUE) {
      throw damage("a put before one of the same value", "" + before);
    }
    if (!PackedPage.isValueCode(code)) {
      throw damage("a value code", "" + code);
    }
    requireInside(at, PackedPage.valueHead(code));
    long bytes = PackedPage.valueBytes(s, code, at);
    requireInside(at, bytes);
    return at + bytes;
  }

  /** Checks a coded value; entry 0, if it is the base of others, was checked before. */
  private void coded(int i, long at, long end) {
    int first = PackedPage.valueCode(s, page, n, 0);
    boolean isByFirst = (flags & PackedPage.CODED_BY_FIRST) != 0;
    if (isByFirst && (first == 0 || first > PackedPage.LONG_VALUE)) {
      throw damage("a base of coded values", "code " + first);
    }
    int base = PackedPage.baseLength(s, page, n, flags);
    String problem = CodedValue.problem(s, at, end - at, base);
    if (problem != null) {
      throw damage("coded value " + i, problem);
    }
  }

  private void requireInside(long at, long length) {
    if (length > page + size - at) {
      throw damage("bytes inside the page", length + " at " + (at - page));
    }
  }

  private void require(boolean condition, String expected, String found) {
    if (!condition) {
      throw damage(expected, found);
    }
  }

  private CorruptionException damage(String expected, String found) {
    return new CorruptionException(file, fileOffset, expected, found);
  }

  private static String hex(int number) {
    return "%08x".formatted(number);
  }
}
