package io.github.coppicedb.page;

import io.github.coppicedb.format.ByteArrays;
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
  private int leastLcp = Integer.MAX_VALUE;
  private int greatestLcp;

  /** Critical numbers of a narrow page as if the least lcp were 0: it is known in the end only. */
  private int[] criticals = new int[FIRST_CAPACITY];

  /** Lengths of the rests of a page that is not narrow, and where groups begin but for heads. */
  private byte[] lengths = new byte[FIRST_CAPACITY];

  private int[] groupStarts = new int[FIRST_CAPACITY / PackedPage.GROUP];

  /** The rests that have their length before them in a narrow page: entry, place, and length. */
  private int[] longRests = new int[3 * 8];

  private int longCount;

  /** Key 0 and the rests of the other keys; has {@link ByteArrays#SLACK}, as the values have. */
  private byte[] keys = new byte[1024];

  private int keyBytes;
  private int firstLength;

  /** What keys take if the page is narrow, and how much more if it is not, but for n lengths. */
  private int narrowSize;

  private int moreIfWide;

  private int[] children = new int[0];

  /** Whether all entries have the same kind and value: then only that of entry 0 is kept. */
  private boolean isOneValue = true;

  /**
   * The value of the last entry as it was given: its code, where it is kept, and how long it is.
   */
  private int lastCode;

  private byte[] lastValue = {};
  private int lastValueAt;
  private int lastLength;

  private final LeafCoder coder = new LeafCoder();

  private byte[] valueCodes = new byte[FIRST_CAPACITY];
  private int[] valueStarts = new int[FIRST_CAPACITY / PackedPage.GROUP];
  private byte[] values = new byte[ByteArrays.SLACK];
  private int valueBytes;

  private byte[] page = new byte[0];
  private MemorySegment segment = MemorySegment.ofArray(page);

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
    return size(isNarrow());
  }

  private int size(boolean narrow) {
    return keysSize(narrow) + valuesSize(isOneValue);
  }

  private int keysSize(boolean narrow) {
    return narrow ? narrowSize : narrowSize + count + moreIfWide;
  }

  /** Returns what values take, with their codes and starts; 0 in an inner page. */
  private int valuesSize(boolean one) {
    if (one) {
      return hasValues() ? Byte.BYTES + Integer.BYTES + valueBytes : 0;
    }
    return count * Byte.BYTES + PackedPage.groups(count) * Integer.BYTES + valueBytes;
  }

  /** Returns whether not all entries are puts of empty values. */
  private boolean hasValues() {
    return !isOneValue || lastCode != 0;
  }

  /** Returns whether no lcp exceeds another by too much; they are MAX_VALUE and 0 for one entry. */
  private boolean isNarrow() {
    return greatestLcp - leastLcp <= PackedPage.NARROW_LCP_RANGE;
  }

  private int flags(boolean narrow) {
    int values = 0;
    if (hasValues()) {
      values = PackedPage.HAS_VALUES | (isOneValue ? PackedPage.ONE_VALUE : 0) | coder.flag();
    }
    return (narrow ? PackedPage.NARROW : 0) | values;
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
    int range = Math.max(greatestLcp, lcp) - Math.min(leastLcp, lcp);
    boolean narrow = range <= PackedPage.NARROW_LCP_RANGE;
    boolean full = narrow ? size(true) + LEAST_ROOM >= pageBytes : isFullIfWide();
    if (full && (level == 0 || count >= LEAST_FANOUT)) {
      return false;
    }
    return range <= PackedPage.LCP_RANGE;
  }

  private boolean isFullIfWide() {
    return size(false) + LEAST_ROOM >= pageBytes
        || (isNarrow() && size(true) >= pageBytes / 4 * FULL_QUARTERS);
  }

  /**
   * As {@link #accepts(int)} for an entry of a leaf with a value, as {@link #add} takes it: a page
   * of one value ends before another one that would make it full at once, as all its entries would
   * then need a code of their own.
   */
  public boolean accepts(int lcp, byte kind, byte[] value, int valueAt, int length) {
    if (!accepts(lcp)) {
      return false;
    }
    return count == 0
        || !isOneValue
        || keysSize(isNarrow()) + valuesSize(false) + LEAST_ROOM < pageBytes
        || isLastValue(valueCode(kind, length), value, valueAt, length);
  }

  /**
   * Adds an entry to a leaf.
   *
   * @param lcp bytes shared with the key before, which may be the last one of the page before
   * @param source holds the whole key, greater than the one before
   * @param keyAt where the key begins
   * @param kind one of {@link EntryKind}
   * @param value holds the value, or the {@link ValueReference} of a large one
   * @param valueAt where it begins
   * @param length bytes of the value: 0 for a tombstone, those of the reference for a large value
   */
  public void add(
      int lcp,
      byte[] source,
      int keyAt,
      int keyLength,
      byte kind,
      byte[] value,
      int valueAt,
      int length) {
    addKey(lcp, source, keyAt, keyLength);
    addValue(valueCode(kind, length), value, valueAt, length);
  }

  private void addValue(int code, byte[] value, int valueAt, int length) {
    int i = count - 1;
    boolean isSame = i > 0 && isLastValue(code, value, valueAt, length);
    if (isOneValue && i > 0) {
      if (isSame) {
        return;
      }
      beginCodes(i);
    }
    if ((i & (PackedPage.GROUP - 1)) == 0) {
      valueStarts[i / PackedPage.GROUP] = valueBytes;
    }
    if (isSame) {
      valueCodes[i] = (byte) repeatedCode();
    } else {
      valueCodes[i] = (byte) appendValue(code, value, valueAt, length);
    }
  }

  /** Returns whether a value is that of the last entry; of two references none is taken for one. */
  private boolean isLastValue(int code, byte[] value, int valueAt, int length) {
    return code == lastCode
        && length == lastLength
        && code != PackedPage.LARGE_VALUE
        && ByteArrays.equal(value, valueAt, lastValue, lastValueAt, length);
  }

  /** Returns the code of an entry with the last value: what takes no bytes is told itself. */
  private int repeatedCode() {
    return lastLength > 0 ? PackedPage.SAME_VALUE : lastCode;
  }

  /** Appends a value, coded if the leaf's are, and returns its code. */
  private int appendValue(int code, byte[] value, int valueAt, int length) {
    lastCode = code;
    lastLength = length;
    boolean isPut = code <= PackedPage.LONG_VALUE && length > 0;
    if (isPut && coder.code(count == 1, value, valueAt, length)) {
      // What is stored is not what the next value can be compared with.
      lastValue = coder.plain();
      lastValueAt = 0;
      int coded = coder.codedLength();
      int codedCode = valueCode(EntryKind.PUT, coded);
      store(codedCode, coder.coded(), 0, coded);
      return codedCode;
    }
    int at = store(code, value, valueAt, length);
    lastValue = values;
    lastValueAt = at;
    return code;
  }

  /** Stores bytes, and before them their length if the code says so; returns where they are. */
  private int store(int code, byte[] source, int from, int length) {
    int used = valueBytes;
    values = room(values, used, Integer.BYTES + length);
    if (code == PackedPage.LONG_VALUE) {
      ByteArrays.put32(values, used, length);
      used += Integer.BYTES;
    }
    ByteArrays.copy(source, from, values, used, length);
    valueBytes = used + length;
    return used;
  }

  /** Gives their own codes to the entries before the first one that has another value. */
  private void beginCodes(int before) {
    isOneValue = false;
    Arrays.fill(valueCodes, 1, before, (byte) repeatedCode());
    Arrays.fill(valueStarts, 1, PackedPage.groups(before), valueBytes);
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
    addKey(lcp, key, 0, keyLength);
    if (children.length < criticals.length) {
      children = Arrays.copyOf(children, criticals.length);
    }
    long unit = child / PackedPage.ALIGNMENT;
    if (unit > 0xFFFF_FFFFL) {
      throw new IllegalStateException("tree too large: page at " + child);
    }
    children[count - 1] = (int) unit;
    narrowSize += Integer.BYTES;
  }

  private void addKey(int lcp, byte[] source, int keyAt, int keyLength) {
    if (count == criticals.length) {
      growArrays();
    }
    int i = count++;
    if ((i & (PackedPage.GROUP - 1)) == 0) {
      groupStarts[i / PackedPage.GROUP] = keyBytes - firstLength;
      narrowSize += 2 * Short.BYTES;
    }
    if (i == 0) {
      beginPage(lcp, keyLength);
      appendKey(source, keyAt, keyLength);
      return;
    }
    leastLcp = Math.min(leastLcp, lcp);
    greatestLcp = Math.max(greatestLcp, lcp);
    int rest = keyLength - lcp - 1;
    criticals[i] = number(lcp, source[keyAt + lcp], Math.min(rest, PackedPage.NARROW_LONG_REST));
    lengths[i] = (byte) Math.min(rest, PackedPage.LONG_REST);
    if (rest >= PackedPage.NARROW_LONG_REST) {
      addLongRest(i, rest);
    }
    appendKey(source, keyAt + lcp + 1, rest);
  }

  /** Returns the critical number of a narrow page, not cut off to 16 bits. */
  private static int number(int lcp, int criticalByte, int lengthCode) {
    return PackedPage.critical(lcp, criticalByte & 0xFF) << PackedPage.NARROW_SHIFT | lengthCode;
  }

  private void beginPage(int lcp, int keyLength) {
    firstLcp = lcp;
    firstLength = keyLength;
    groupStarts[0] = 0;
    lengths[0] = 0;
    leastLcp = Integer.MAX_VALUE;
    greatestLcp = 0;
    narrowSize += PackedPage.HEADER;
  }

  private void addLongRest(int i, int rest) {
    int at = 3 * longCount++;
    if (at == longRests.length) {
      longRests = Arrays.copyOf(longRests, 2 * at);
    }
    longRests[at] = i;
    longRests[at + 1] = keyBytes;
    longRests[at + 2] = rest;
    int narrowCode = PackedPage.lengthCode(rest, PackedPage.NARROW);
    int narrowHead = PackedPage.restHead(narrowCode, rest, PackedPage.NARROW);
    narrowSize += narrowHead;
    moreIfWide += PackedPage.restHead(PackedPage.lengthCode(rest, 0), rest, 0) - narrowHead;
  }

  private void appendKey(byte[] source, int from, int length) {
    keys = room(keys, keyBytes, length);
    ByteArrays.copy(source, from, keys, keyBytes, length);
    keyBytes += length;
    narrowSize += Short.BYTES + length;
  }

  private void growArrays() {
    int capacity = 2 * criticals.length;
    criticals = Arrays.copyOf(criticals, capacity);
    lengths = Arrays.copyOf(lengths, capacity);
    groupStarts = Arrays.copyOf(groupStarts, capacity / PackedPage.GROUP);
    valueCodes = Arrays.copyOf(valueCodes, capacity);
    valueStarts = Arrays.copyOf(valueStarts, capacity / PackedPage.GROUP);
  }

  /** Returns the buffer, or a larger one when so many bytes more and the slack do not fit. */
  private static byte[] room(byte[] buffer, int used, int more) {
    int needed = used + more + ByteArrays.SLACK;
    return needed <= buffer.length ? buffer : larger(buffer, needed);
  }

  private static byte[] larger(byte[] buffer, int needed) {
    if (needed < 0) {
      throw new OutOfMemoryError("a page of more than 2 GiB");
    }
    return Arrays.copyOf(buffer, Math.max(needed, Math.max(2 * buffer.length, 512)));
  }

  /**
   * Lays out the page and empties the builder. Returns a segment of the page's bytes, which is
   * valid until the next call.
   */
  public MemorySegment finish() {
    if (count == 0) {
      throw new IllegalStateException("a page without entries");
    }
    boolean narrow = isNarrow();
    int flags = flags(narrow);
    int size = size(narrow);
    if (size > page.length) {
      page = new byte[Math.max(size, pageBytes + pageBytes / 4)];
      segment = MemorySegment.ofArray(page);
    }
    int least = count == 1 ? 0 : leastLcp;
    PackedPage.writeHeader(segment, size, count, level, flags, least, firstLcp);
    PackedPage.writeFirstLength(segment, firstLength);
    writeCriticals(least, flags);
    writeRests(flags);
    if (level > 0) {
      writeChildren(flags);
    } else if (hasValues()) {
      writeValues(flags, size - valueBytes);
    }
    PackedPage.seal(segment, size);
    clear();
    return segment.asSlice(0, size);
  }

  private void writeCriticals(int least, int flags) {
    int leastAt = (int) PackedPage.leastAt(0);
    int at = (int) PackedPage.criticalsAt(0, count);
    ByteArrays.put16(page, at, PackedPage.storedCritical(PackedPage.NO_CRITICAL, 0, flags));
    int atLeast = number(least, 255, 0);
    int shift = PackedPage.isNarrow(flags) ? 0 : PackedPage.NARROW_SHIFT;
    for (int begin = 0; begin < count; begin += PackedPage.GROUP) {
      int end = Math.min(count, begin + PackedPage.GROUP);
      int groupLeast = PackedPage.NO_CRITICAL;
      for (int i = Math.max(begin, 1); i < end; i++) {
        int stored = (criticals[i] - atLeast) >>> shift;
        groupLeast = Math.min(groupLeast, stored);
        ByteArrays.put16(page, at + 2 * i, stored);
      }
      ByteArrays.put16(page, leastAt, groupLeast);
      leastAt += Short.BYTES;
    }
  }

  /** Writes key 0, the rests, and where and how long they are. */
  private void writeRests(int flags) {
    if (!PackedPage.isNarrow(flags)) {
      System.arraycopy(lengths, 0, page, (int) PackedPage.lengthsAt(0, count), count);
    }
    int least = PackedPage.lengthCode(Integer.MAX_VALUE, flags);
    int to = PackedPage.arraysSize(count, level > 0, flags);
    int group = 0;
    // The rests go in one piece as far as no length stands between them.
    int copied = 0;
    int heads = 0;
    for (int at = 0; at < 3 * longCount; at += 3) {
      int rest = longRests[at + 2];
      if (rest >= least) {
        group = writeStarts(group, longRests[at] / PackedPage.GROUP + 1, heads, flags);
        int end = longRests[at + 1];
        System.arraycopy(keys, copied, page, to + copied + heads, end - copied);
        PackedPage.writeRestHead(segment, to + end + heads, rest, flags);
        heads += PackedPage.restHead(least, rest, flags);
        copied = end;
      }
    }
    writeStarts(group, PackedPage.groups(count), heads, flags);
    System.arraycopy(keys, copied, page, to + copied + heads, keyBytes - copied);
  }

  private int writeStarts(int from, int end, int heads, int flags) {
    int starts = (int) PackedPage.startsAt(0, count, flags);
    for (int group = from; group < end; group++) {
      ByteArrays.put16(page, starts + 2 * group, groupStarts[group] + heads);
    }
    return end;
  }

  private void writeChildren(int flags) {
    int at = (int) PackedPage.payloadAt(0, count, flags);
    for (int i = 0; i < count; i++) {
      ByteArrays.put32(page, at + 4 * i, children[i]);
    }
  }

  private void writeValues(int flags, int valuesAt) {
    int codes = PackedPage.codes(count, flags);
    System.arraycopy(valueCodes, 0, page, (int) PackedPage.payloadAt(0, count, flags), codes);
    int at = (int) PackedPage.valueStartsAt(0, count, flags);
    for (int group = 0; group < PackedPage.groups(codes); group++) {
      ByteArrays.put32(page, at + 4 * group, valuesAt + valueStarts[group]);
    }
    System.arraycopy(values, 0, page, valuesAt, valueBytes);
  }

  private void clear() {
    count = 0;
    narrowSize = 0;
    moreIfWide = 0;
    longCount = 0;
    leastLcp = Integer.MAX_VALUE;
    greatestLcp = 0;
    keyBytes = 0;
    valueBytes = 0;
    isOneValue = true;
    lastCode = 0;
    coder.clear();
  }
}
