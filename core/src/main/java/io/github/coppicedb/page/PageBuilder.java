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

  private final int pageBytes;
  private final int level;

  private int count;
  private int firstLcp;
  private int leastLcp;
  private int greatestLcp;
  private boolean hasValues;

  private int[] lcps = new int[FIRST_CAPACITY];
  private byte[] criticalBytes = new byte[FIRST_CAPACITY];
  private byte[] restLengths = new byte[FIRST_CAPACITY];
  private int[] groupStarts = new int[FIRST_CAPACITY / PackedPage.GROUP];

  /** Key 0 and the rests of the other keys. */
  private byte[] keys = new byte[1024];

  private int keyBytes;
  private int firstLength;

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
    return PackedPage.arraysSize(count, level > 0, hasValues) + keyBytes + valueBytes;
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
    if (size() + LEAST_ROOM >= pageBytes && (level == 0 || count >= LEAST_FANOUT)) {
      return false;
    }
    return count == 1
        || Math.max(greatestLcp, lcp) - Math.min(leastLcp, lcp) <= PackedPage.LCP_RANGE;
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
    if ((i & (PackedPage.GROUP - 1)) == 0) {
      groupStarts[i / PackedPage.GROUP] = keyBytes - firstLength;
    }
    leastLcp = Math.min(leastLcp, lcp);
    greatestLcp = Math.max(greatestLcp, lcp);
    lcps[i] = lcp;
    criticalBytes[i] = key[lcp];
    int rest = keyLength - lcp - 1;
    restLengths[i] = (byte) Math.min(rest, PackedPage.LONG_REST);
    if (rest >= PackedPage.LONG_REST) {
      ensureKeys(Integer.BYTES);
      Bytes.put32(MemorySegment.ofArray(keys), keyBytes, rest);
      keyBytes += Integer.BYTES;
    }
    appendKey(key, lcp + 1, rest);
  }

  private void beginPage(int lcp, byte[] key, int keyLength) {
    firstLcp = lcp;
    leastLcp = Integer.MAX_VALUE;
    greatestLcp = 0;
    restLengths[0] = 0;
    groupStarts[0] = 0;
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
    groupStarts = Arrays.copyOf(groupStarts, capacity / PackedPage.GROUP);
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
    int size = size();
    page = room(page, 0, size);
    int flags = hasValues ? PackedPage.HAS_VALUES : 0;
    int least = count == 1 ? 0 : leastLcp;
    PackedPage.writeHeader(page, size, count, level, flags, least, firstLcp);
    PackedPage.writeFirstLength(page, firstLength);
    writeCriticals(least);
    writeLengths();
    int keysAt = PackedPage.arraysSize(count, level > 0, hasValues);
    if (level > 0) {
      writeChildren();
    } else if (hasValues) {
      writeValues(keysAt + keyBytes);
    }
    Bytes.copy(keys, 0, page, keysAt, keyBytes);
    PackedPage.seal(page, size);
    clear();
    return page.asSlice(0, size);
  }

  private void writeCriticals(int least) {
    long leastAt = PackedPage.leastAt(0);
    long at = PackedPage.criticalsAt(0, count);
    Bytes.put16(page, at, PackedPage.NO_CRITICAL);
    int groupLeast = PackedPage.NO_CRITICAL;
    for (int i = 1; i < count; i++) {
      if ((i & (PackedPage.GROUP - 1)) == 0) {
        Bytes.put16(page, leastAt, groupLeast);
        leastAt += 2;
        groupLeast = PackedPage.NO_CRITICAL;
      }
      int critical = PackedPage.critical(lcps[i] - least, criticalBytes[i] & 0xFF);
      groupLeast = Math.min(groupLeast, critical);
      Bytes.put16(page, at + 2L * i, critical);
    }
    Bytes.put16(page, leastAt, groupLeast);
  }

  private void writeLengths() {
    Bytes.copy(restLengths, 0, page, PackedPage.lengthsAt(0, count), count);
    long at = PackedPage.startsAt(0, count);
    for (int group = 0; group < PackedPage.groups(count); group++) {
      Bytes.put16(page, at + 2L * group, groupStarts[group]);
    }
  }

  private void writeChildren() {
    long at = PackedPage.payloadAt(0, count);
    for (int i = 0; i < count; i++) {
      Bytes.put32(page, at + 4L * i, children[i]);
    }
  }

  private void writeValues(int valuesAt) {
    Bytes.copy(valueCodes, 0, page, PackedPage.payloadAt(0, count), count);
    long at = PackedPage.valueStartsAt(0, count);
    for (int group = 0; group < PackedPage.groups(count); group++) {
      Bytes.put32(page, at + 4L * group, valuesAt + valueStarts[group]);
    }
    MemorySegment.copy(values, 0, page, valuesAt, valueBytes);
  }

  private void clear() {
    count = 0;
    keyBytes = 0;
    valueBytes = 0;
    hasValues = false;
  }
}
