package io.github.coppicedb.page;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.Checksum;
import io.github.coppicedb.format.PackedPage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Checks a packed page that was read from a file: first its size and checksum, then every field. A
 * page that passed has all that its accessors and the search read inside its own bytes, and its
 * keys in order. Stateless but for the walk of one check; for any thread.
 */
public final class PageChecker {
  private final MemorySegment s;
  private final long page;
  private final String file;
  private final long fileOffset;
  private final int n;
  private final long size;
  private final int flags;

  private byte[] key = new byte[128];
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

  /** Checks all fields of a page whose bytes were checked. */
  public static void checkFields(MemorySegment s, long page, String file, long fileOffset) {
    PageChecker checker = new PageChecker(s, page, file, fileOffset);
    checker.header();
    long valuesAt = checker.keys();
    checker.values(valuesAt);
  }

  private void header() {
    boolean inner = PackedPage.level(s, page) > 0;
    require(n > 0, "entries", "none");
    int known = inner ? PackedPage.NARROW : PackedPage.NARROW | PackedPage.HAS_VALUES;
    require((flags & ~known) == 0, "known flags", "" + flags);
    long first = PackedPage.firstLength(s, page);
    long arrays = PackedPage.arraysSize(n, inner, flags);
    require(first >= 0 && arrays + first <= size, "key 0 inside the page", first + " bytes");
    long least = PackedPage.leastLcp(s, page);
    require(least >= 0 && least <= first, "a least lcp of at most " + first, "" + least);
    long lcp = PackedPage.firstLcp(s, page);
    require(lcp == 0 || (lcp > 0 && lcp < first), "lcp of key 0 below " + first, "" + lcp);
  }

  /** Walks the keys and returns where the rests end. */
  private long keys() {
    long at = PackedPage.firstKeyAt(s, page, n);
    int leastLcp = PackedPage.leastLcp(s, page);
    require(n > 1 || leastLcp == 0, "no least lcp of one key", "" + leastLcp);
    int none = PackedPage.storedCritical(PackedPage.NO_CRITICAL, 0, flags);
    require(PackedPage.storedCritical(s, page, n, 0) == none, "no critical 0", "one");
    require(PackedPage.lengthCode(s, page, n, 0, flags) == 0, "no rest of key 0", "one");
    setKey(0, at, PackedPage.firstLength(s, page));
    long rests = at + keyLength;
    at = rests;
    int least = PackedPage.NO_CRITICAL;
    boolean leastMet = n == 1;
    for (int i = 0; i < n; i++) {
      if (i % PackedPage.GROUP == 0) {
        checkGroupStart(i, at - rests);
        least = PackedPage.NO_CRITICAL;
      }
      if (i > 0) {
        int critical = PackedPage.critical(s, page, n, i);
        at = entry(i, critical, leastLcp, at);
        least = Math.min(least, PackedPage.storedCritical(s, page, n, i));
        leastMet |= PackedPage.lcpOver(critical) == 0;
      }
      if (i == n - 1 || i % PackedPage.GROUP == PackedPage.GROUP - 1) {
        checkGroupLeast(i, least);
      }
    }
    require(leastMet, "an entry with the least lcp " + leastLcp, "none");
    return at;
  }

  private void checkGroupStart(int i, long expected) {
    int start = Bytes.u16(s, PackedPage.startsAt(page, n, flags) + 2L * (i / PackedPage.GROUP));
    if (start != expected) {
      throw damage("rests of entry " + i + " at " + expected, "" + start);
    }
  }

  private void checkGroupLeast(int i, int expected) {
    int least = Bytes.u16(s, PackedPage.leastAt(page) + 2L * (i / PackedPage.GROUP));
    if (least != expected) {
      throw damage("least critical number " + expected, "" + least);
    }
  }

  private long entry(int i, int critical, int leastLcp, long restAt) {
    long lcp = (long) leastLcp + PackedPage.lcpOver(critical);
    int criticalByte = PackedPage.criticalByte(critical);
    if (lcp > keyLength) {
      throw damage("lcp of entry " + i + " at most " + keyLength, "" + lcp);
    }
    if (lcp < keyLength && (key[(int) lcp] & 0xFF) >= criticalByte) {
      throw damage("entry " + i + " greater than the last", "byte " + criticalByte + " at " + lcp);
    }
    long at = restAt;
    int code = PackedPage.lengthCode(s, page, n, i, flags);
    // What may stand before a rest at most: so many bytes are there, or this is no page.
    requireInside(at, code < PackedPage.lengthCode(Integer.MAX_VALUE, flags) ? 0 : 1);
    int length = PackedPage.restLength(s, code, at, flags);
    int head = PackedPage.restHead(code, length, flags);
    if (length < 0 || PackedPage.lengthCode(length, flags) != code) {
      throw damage("a rest of a length that is told as " + code, "" + length);
    }
    requireInside(at, head);
    at += head;
    requireInside(at, length);
    setKey((int) lcp + 1, at, length);
    key[(int) lcp] = (byte) criticalByte;
    return at + length;
  }

  private void setKey(int from, long at, int length) {
    if (from + length > key.length) {
      key = Arrays.copyOf(key, Math.max(from + length, 2 * key.length));
    }
    Bytes.copy(s, at, key, from, length);
    keyLength = from + length;
  }

  private void values(long valuesAt) {
    long at = valuesAt;
    if (PackedPage.hasValues(s, page)) {
      for (int i = 0; i < n; i++) {
        if (i % PackedPage.GROUP == 0) {
          long start =
              Bytes.u32(s, PackedPage.valueStartsAt(page, n, flags) + i / PackedPage.GROUP * 4L);
          if (start != at - page) {
            throw damage("value " + i + " at " + (at - page), "" + start);
          }
        }
        at = value(i, at);
      }
    }
    require(at == page + size, "the page's end at " + size, "" + (at - page));
  }

  private long value(int i, long at) {
    int code = PackedPage.valueCode(s, page, n, i);
    if (code > PackedPage.LONG_VALUE
        && code != PackedPage.LARGE_VALUE
        && code != PackedPage.TOMBSTONE) {
      throw damage("a value code", "" + code);
    }
    requireInside(at, PackedPage.valueHead(code));
    long bytes = PackedPage.valueBytes(s, code, at);
    requireInside(at, bytes);
    return at + bytes;
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
