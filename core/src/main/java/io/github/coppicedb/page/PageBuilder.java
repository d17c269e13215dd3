package io.github.coppicedb.page;

import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.format.ValueReference;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Gathers entries in order of their keys and lays them out as a packed page.
 *
 * <p>Use: while {@link #accepts} says so, {@link #add} or {@link #addChild}; then {@link #finish}
 * gives the bytes and empties the builder for the next page. A page takes entries while it is
 * smaller than the wished size, so it may exceed it by one entry. Keeps its buffers between pages;
 * confined to one thread.
 */
public final class PageBuilder {
  /** An inner page takes this many entries whatever their size, so that each level is smaller. */
  private static final int LEAST_FANOUT = 2;

  /**
   * A page is closed with less room than this, about an entry: a page a little larger than the
   * wished size, a multiple of the alignment, would be filled up by nearly all of the alignment.
   */
  private static final int LEAST_ROOM = 16;

  private static final int FIRST_CAPACITY = 64;

  /** A narrow page this full, in quarters, ends before an entry that would make it wide. */
  private static final int FULL_QUARTERS = 3;

  private final int pageBytes;
  private final int level;

  private int count;
  private int firstLcp;
  private int leastLcp;
  private int greatestLcp;
  private boolean hasValues;

  private int[] lcps = new int[FIRST_CAPACITY];
  private byte[] criticalBytes = new byte[FIRST_CAPACITY];
  private int[] restLengths = new int[FIRST_CAPACITY];

  /** Key 0 and the rests of the other keys. */
  private byte[] keys = new byte[1024];

  private int keyBytes;
  private int firstLength;

  /** Bytes that tell the lengths of long rests, in a narrow page and in a wide one. */
  private int narrowHeads;

  private int wideHeads;

  private int[] children = new int[0];
  private byte[] valueCodes = new byte[FIRST_CAPACITY];
  private int[] valueStarts = new int[FIRST_CAPACITY / PackedPage.GROUP];
  private MemorySegment values = MemorySegment.ofArray(new byte[0]);
  private int valueBytes;

  private MemorySegment page = MemorySegment.ofArray(new byte[0]);

  /**
   * Makes a builder of pages of one level.
   *
   * @param pageBytes size near which a page takes no more entries, at most 32,768
   */
  public PageBuilder(int pageBytes, int level) {
    this.pageBytes = pageBytes;
    this.level = level;
  }

  /** Returns the number of entries so far. */
  public int count() {
    return count;
  }

  /** Returns the size of the page as it would be now. */
  public int size() {
    return size(range() <= PackedPage.NARROW_LCP_RANGE);
  }

  private int size(boolean narrow) {
    int heads = narrow ? narrowHeads : wideHeads;
    return PackedPage.arraysSize(count, level > 0, flags(narrow)) + heads + keyBytes + valueBytes;
  }

  private int flags(boolean narrow) {
    return (narrow ? PackedPage.NARROW : 0) | (hasValues ? PackedPage.HAS_VALUES : 0);
  }

  /** Returns by how much the lcps of the entries differ, entry 0 left out. */
  private int range() {
    return count <= 1 ? 0 : greatestLcp - leastLcp;
  }

  /**
   * Returns the least number of bytes that an entry of this page shares with its predecessor, entry
   * 0 left out; {@link Integer#MAX_VALUE} when there is no other entry.
   */
  public int leastLcp() {
    return leastLcp;
  }

  /** Returns whether the page may take an entry that shares {@code lcp} bytes with the last one. */
  public boolean accepts(int lcp) {
    if (count == 0) {
      return true;
    }
    int range = count == 1 ? 0 : Math.max(greatestLcp, lcp) - Math.min(leastLcp, lcp);
    boolean narrow = range <= PackedPage.NARROW_LCP_RANGE;
    if (isFull(narrow) && (level == 0 || count >= LEAST_FANOUT)) {
      return false;
    }
    return range <= PackedPage.LCP_RANGE;
  }

  private boolean isFull(boolean narrow) {
    boolean turnsWide = !narrow && range() <= PackedPage.NARROW_LCP_RANGE;
    return size(narrow) + LEAST_ROOM >= pageBytes
        || (turnsWide && size() >= pageBytes / 4 * FULL_QUARTERS);
  }

  /**
   * Adds an entry to a leaf.
   *
   * @param lcp bytes shared with the key before, which may be the last one of the page before
   * @param key the whole key, greater than the one before
   * @param kind one of {@link EntryKind}
   * @param length bytes of the value: 0 for a tombstone, those of the reference for a large value
   */
  public void add(
      int lcp, byte[] key, int keyLength, byte kind, MemorySegment value, long offset, int length) {
    addKey(lcp, key, keyLength);
    if (kind == EntryKind.PUT && length == 0 && !hasValues) {
      return;
    }
    if (!hasValues) {
      hasValues = true;
      Arrays.fill(valueCodes, 0, count, (byte) 0);
      Arrays.fill(valueStarts, 0, PackedPage.groups(count), 0);
    }
    addValue(kind, value, offset, length);
  }

  private void addValue(byte kind, MemorySegment value, long offset, int length) {
    int i = count - 1;
    if ((i & (PackedPage.GROUP - 1)) == 0) {
      valueStarts[i / PackedPage.GROUP] = valueBytes;
    }
    int code = valueCode(kind, length);
    valueCodes[i] = (byte) code;
    values = room(values, valueBytes, 4L + length);
    if (code == PackedPage.LONG_VALUE) {
      Bytes.put32(values, valueBytes, length);
      valueBytes += 4;
    }
    MemorySegment.copy(value, offset, values, valueBytes, length);
    valueBytes += length;
  }

  private static int valueCode(byte kind, int length) {
    return switch (kind) {
      case EntryKind.PUT -> length <= PackedPage.SHORT_VALUE ? length : PackedPage.LONG_VALUE;
      case EntryKind.TOMBSTONE -> {
        requireLength(length, 0);
        yield PackedPage.TOMBSTONE;
      }
      case EntryKind.LARGE -> {
        requireLength(length, ValueReference.BYTES);
        yield PackedPage.LARGE_VALUE;
      }
      default -> throw new IllegalArgumentException("unknown kind of entry: " + kind);
    };
  }

  private static void requireLength(int length, int expected) {
    if (length != expected) {
      throw new IllegalArgumentException("value of " + length + " bytes, expected " + expected);
    }
  }

  /** Adds an entry to an inner page; {@code child} is an address in the tree. */
  public void addChild(int lcp, byte[] key, int keyLength, long child) {
    addKey(lcp, key, keyLength);
    if (children.length < lcps.length) {
      children = Arrays.copyOf(children, lcps.length);
    }
    long unit = child / PackedPage.ALIGNMENT;
    if (unit > 0xFFFF_FFFFL) {
      throw new IllegalStateException("tree too large: page at " + child);
    }
    children[count - 1] = (int) unit;
  }

  private void addKey(int lcp, byte[] key, int keyLength) {
    if (count == lcps.length) {
      growArrays();
    }
    int i = count++;
    if (i == 0) {
      beginPage(lcp, key, keyLength);
      return;
    }
    leastLcp = Math.min(leastLcp, lcp);
    greatestLcp = Math.max(greatestLcp, lcp);
    lcps[i] = lcp;
    criticalBytes[i] = key[lcp];
    int rest = keyLength - lcp - 1;
    restLengths[i] = rest;
    if (rest >= PackedPage.NARROW_LONG_REST) {
      int narrowCode = PackedPage.lengthCode(rest, PackedPage.NARROW);
      narrowHeads += PackedPage.restHead(narrowCode, rest, PackedPage.NARROW);
      wideHeads += PackedPage.restHead(PackedPage.lengthCode(rest, 0), rest, 0);
    }
    appendKey(key, lcp + 1, rest);
  }

  private void beginPage(int lcp, byte[] key, int keyLength) {
    firstLcp = lcp;
    leastLcp = Integer.MAX_VALUE;
    greatestLcp = 0;
    firstLength = keyLength;
    appendKey(key, 0, keyLength);
  }

  private void appendKey(byte[] key, int from, int length) {
    ensureKeys(length);
    System.arraycopy(key, from, keys, keyBytes, length);
    keyBytes += length;
  }

  private void ensureKeys(int more) {
    if (keyBytes + more > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(keyBytes + more, 2 * keys.length));
    }
  }

  private void growArrays() {
    int capacity = 2 * lcps.length;
    lcps = Arrays.copyOf(lcps, capacity);
    criticalBytes = Arrays.copyOf(criticalBytes, capacity);
    restLengths = Arrays.copyOf(restLengths, capacity);
    valueCodes = Arrays.copyOf(valueCodes, capacity);
    valueStarts = Arrays.copyOf(valueStarts, capacity / PackedPage.GROUP);
  }

  private static MemorySegment room(MemorySegment buffer, int used, long more) {
    long needed = used + more;
    if (needed <= buffer.byteSize()) {
      return buffer;
    }
    int capacity = Math.toIntExact(Math.max(needed, Math.max(2L * used, 512)));
    MemorySegment larger = MemorySegment.ofArray(new byte[capacity]);
    MemorySegment.copy(buffer, 0, larger, 0, used);
    return larger;
  }

  /**
   * Lays out the page and empties the builder. Returns a segment of the page's bytes, which is
   * valid until the next call.
   */
  public MemorySegment finish() {
    if (count == 0) {
      throw new IllegalStateException("a page without entries");
    }
    boolean narrow = range() <= PackedPage.NARROW_LCP_RANGE;
    int flags = flags(narrow);
    int size = size(narrow);
    page = room(page, 0, size);
    int least = count == 1 ? 0 : leastLcp;
    PackedPage.writeHeader(page, size, count, level, flags, least, firstLcp);
    PackedPage.writeFirstLength(page, firstLength);
    writeCriticals(least, flags);
    writeRests(flags);
    if (level > 0) {
      writeChildren(flags);
    } else if (hasValues) {
      writeValues(flags, size - valueBytes);
    }
    PackedPage.seal(page, size);
    clear();
    return page.asSlice(0, size);
  }

  private void writeCriticals(int least, int flags) {
    long leastAt = PackedPage.leastAt(0);
    long at = PackedPage.criticalsAt(0, count);
    Bytes.put16(page, at, PackedPage.storedCritical(PackedPage.NO_CRITICAL, 0, flags));
    int groupLeast = PackedPage.NO_CRITICAL;
    for (int i = 1; i < count; i++) {
      if ((i & (PackedPage.GROUP - 1)) == 0) {
        Bytes.put16(page, leastAt, groupLeast);
        leastAt += 2;
        groupLeast = PackedPage.NO_CRITICAL;
      }
      int critical = PackedPage.critical(lcps[i] - least, criticalBytes[i] & 0xFF);
      int code = PackedPage.lengthCode(restLengths[i], flags);
      int stored = PackedPage.storedCritical(critical, code, flags);
      groupLeast = Math.min(groupLeast, stored);
      Bytes.put16(page, at + 2L * i, stored);
    }
    Bytes.put16(page, leastAt, groupLeast);
  }

  /** Writes key 0, the rests, and where and how long they are. */
  private void writeRests(int flags) {
    boolean narrow = PackedPage.isNarrow(flags);
    int keysAt = PackedPage.arraysSize(count, level > 0, flags);
    long starts = PackedPage.startsAt(0, count, flags);
    long lengths = PackedPage.lengthsAt(0, count);
    // The rests go in one piece as far as no length stands between them.
    int copied = 0;
    int from = firstLength;
    int heads = 0;
    for (int i = 0; i < count; i++) {
      int rest = i == 0 ? 0 : restLengths[i];
      if ((i & (PackedPage.GROUP - 1)) == 0) {
        Bytes.put16(page, starts, from - firstLength + heads);
        starts += 2;
      }
      int code = PackedPage.lengthCode(rest, flags);
      if (!narrow) {
        Bytes.put8(page, lengths + i, code);
      }
      int head = PackedPage.restHead(code, rest, flags);
      if (head > 0) {
        Bytes.copy(keys, copied, page, keysAt + copied + heads, from - copied);
        copied = from;
        PackedPage.writeRestHead(page, keysAt + copied + heads, rest, flags);
        heads += head;
      }
      from += rest;
    }
    Bytes.copy(keys, copied, page, keysAt + copied + heads, keyBytes - copied);
  }

  private void writeChildren(int flags) {
    long at = PackedPage.payloadAt(0, count, flags);
    for (int i = 0; i < count; i++) {
      Bytes.put32(page, at + 4L * i, children[i]);
    }
  }

  private void writeValues(int flags, int valuesAt) {
    Bytes.copy(valueCodes, 0, page, PackedPage.payloadAt(0, count, flags), count);
    long at = PackedPage.valueStartsAt(0, count, flags);
    for (int group = 0; group < PackedPage.groups(count); group++) {
      Bytes.put32(page, at + 4L * group, valuesAt + valueStarts[group]);
    }
    MemorySegment.copy(values, 0, page, valuesAt, valueBytes);
  }

  private void clear() {
    count = 0;
    keyBytes = 0;
    narrowHeads = 0;
    wideHeads = 0;
    valueBytes = 0;
    hasValues = false;
  }
}
