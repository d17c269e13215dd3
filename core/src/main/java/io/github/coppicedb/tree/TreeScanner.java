package io.github.coppicedb.tree;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.ByteArrays;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.CodedValue;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.page.PageChecker;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A forward walk over the entries of a run (trees with disjoint key ranges, in order) that shows
 * them as they are stored: how many bytes a key shares with the one before, its critical byte, and
 * the rest. No key is put together. For merges; pages of files are checked again whatever was
 * checked before, and read from a copy. Confined to one thread.
 *
 * <p>Whatever a page of a file says, key and value of an entry lie inside the page; that keys are
 * in order, and share what they say, is for the merge to see.
 */
final class TreeScanner {
  private static final byte[] NO_BYTES = new byte[0];

  private final List<PackedTree> run;
  private int treesBegun;
  private @Nullable PackedTree tree;
  private @Nullable LeafWalk walk;

  private byte[] bytes = NO_BYTES;
  private int count;
  private int index;
  private int leastLcp;
  private int flags;
  private boolean narrow;
  private int criticals;
  private int lengths;
  private int codes;
  private int pageEnd;
  private int nextRest;
  private int nextValue;
  private int codeCount;

  // The base of the leaf's coded values, once one was read, and the last one behind it.
  private byte[] window = NO_BYTES;
  private boolean baseCopied;

  private boolean firstOfTree;
  private int lcp;
  private int criticalByte;
  private int keyAt;
  private int keyLength;
  private byte kind;
  private byte[] valueBytes = NO_BYTES;
  private int valueAt;
  private int valueLength;

  /** Starts before the first entry of trees with disjoint key ranges in ascending order. */
  TreeScanner(List<PackedTree> run) {
    this.run = List.copyOf(run);
  }

  /** Moves to the next entry; false at the end. */
  boolean next() {
    try {
      if (index + 1 < count) {
        firstOfTree = false;
        index++;
        readEntry();
      } else if (!nextPage()) {
        return false;
      }
      if (index < codeCount) {
        readValue();
      }
      return true;
    } catch (IndexOutOfBoundsException e) {
      throw Objects.requireNonNull(tree).outside(e);
    }
  }

  private void readEntry() {
    int critical = ByteArrays.u16(bytes, criticals + 2 * index);
    int at = nextRest;
    int rest;
    boolean isLong;
    if (narrow) {
      rest = critical & PackedPage.NARROW_LONG_REST;
      critical >>>= PackedPage.NARROW_SHIFT;
      isLong = rest == PackedPage.NARROW_LONG_REST;
    } else {
      rest = bytes[lengths + index] & 0xFF;
      isLong = rest == PackedPage.LONG_REST;
    }
    if (isLong) {
      int code = rest;
      rest = PackedPage.restLength(leaf().segment(), code, at, flags);
      at += PackedPage.restHead(code, rest, flags);
    }
    if (rest < 0 || rest > pageEnd - at) {
      throw damage("the rest of a key inside the page", rest + " bytes");
    }
    nextRest = at + rest;
    lcp = leastLcp + PackedPage.lcpOver(critical);
    criticalByte = PackedPage.criticalByte(critical);
    keyAt = at - lcp - 1;
    keyLength = lcp + 1 + rest;
  }

  private void readValue() {
    int code = bytes[codes + index] & 0xFF;
    if (code == PackedPage.SAME_VALUE) {
      if (index == 0 || kind != EntryKind.PUT) {
        throw damage("a put before one of the same value", "entry " + index);
      }
      return;
    }
    kind = EntryKind.PUT;
    valueAt = nextValue;
    long length = code;
    if (code > PackedPage.SHORT_VALUE) {
      if (!PackedPage.isValueCode(code)) {
        throw damage("a value code", "" + code);
      }
      kind = PackedPage.kind(code);
      valueAt += PackedPage.valueHead(code);
      length = PackedPage.valueLength(leaf().segment(), code, nextValue);
    }
    if (length > pageEnd - valueAt) {
      throw damage("a value inside the page", length + " bytes");
    }
    nextValue = valueAt + (int) length;
    if (PackedPage.isCoded(flags, index, code)) {
      decodeValue((int) length);
    } else {
      valueBytes = bytes;
      valueLength = (int) length;
    }
  }

  private void decodeValue(int coded) {
    MemorySegment s = leaf().segment();
    int page = leaf().page();
    int base = PackedPage.baseLength(s, page, count, flags);
    if (Objects.requireNonNull(tree).space().isFile()) {
      String problem = CodedValue.problem(s, valueAt, coded, base);
      if (problem != null) {
        throw damage("coded value " + index, problem);
      }
    }
    int length = CodedValue.length(s, valueAt, coded);
    if (window.length < base + length + ByteArrays.SLACK) {
      window = new byte[2 * (base + length) + ByteArrays.SLACK];
      baseCopied = false;
    }
    if (!baseCopied && base > 0) {
      Bytes.copy(s, PackedPage.baseAt(s, page, count), window, 0, base);
      baseCopied = true;
    }
    valueLength = CodedValue.decode(s, valueAt, coded, window, base);
    valueBytes = window;
    valueAt = base;
  }

  private PageView leaf() {
    return Objects.requireNonNull(walk).leaf();
  }

  private boolean nextPage() {
    firstOfTree = false;
    index = 0;
    count = 0;
    if ((walk == null || !walk.next()) && !nextTree()) {
      return false;
    }
    enterPage(leaf());
    return true;
  }

  private boolean nextTree() {
    while (treesBegun < run.size()) {
      PackedTree next = run.get(treesBegun++);
      if (next.entries() > 0) {
        tree = next;
        firstOfTree = true;
        walk = new LeafWalk(next);
        return walk.next();
      }
    }
    walk = null;
    return false;
  }

  private void enterPage(PageView leaf) {
    int page = leaf.page();
    bytes = leaf.array();
    count = leaf.count();
    flags = PackedPage.flags(leaf.segment(), page);
    narrow = PackedPage.isNarrow(flags);
    leastLcp = PackedPage.leastLcp(leaf.segment(), page);
    criticals = (int) PackedPage.criticalsAt(page, count);
    lengths = (int) PackedPage.lengthsAt(page, count);
    pageEnd = page + (int) PackedPage.size(leaf.segment(), page);
    beginValues(leaf, page);
    keyAt = (int) PackedPage.firstKeyAt(leaf.segment(), page, count);
    keyLength = PackedPage.firstLength(leaf.segment(), page);
    nextRest = keyAt + keyLength;
    lcp = firstOfTree ? 0 : PackedPage.firstLcp(leaf.segment(), page);
    criticalByte = keyLength > 0 ? bytes[keyAt + lcp] & 0xFF : -1;
  }

  private void beginValues(PageView leaf, int page) {
    kind = EntryKind.PUT;
    valueBytes = bytes;
    valueAt = page;
    valueLength = 0;
    codeCount = 0;
    baseCopied = false;
    if (PackedPage.hasValues(leaf.segment(), page)) {
      codeCount = PackedPage.codes(count, flags);
      codes = (int) PackedPage.payloadAt(page, count, flags);
      long first = Bytes.u32(leaf.segment(), PackedPage.valueStartsAt(page, count, flags));
      if (first > pageEnd - page) {
        throw damage("values inside the page", "at " + first);
      }
      nextValue = page + (int) first;
    }
  }

  /** Returns whether the entry is the first of its leaf. */
  boolean isFirstOfLeaf() {
    return index == 0;
  }

  /** Returns the bytes of the leaf that the entry is in. */
  int leafBytes() {
    return pageEnd - leaf().page();
  }

  /** Returns whether all entries of the leaf are puts whose values are in it. */
  boolean hasOnlyPuts() {
    for (int i = 0; i < codeCount; i++) {
      if ((bytes[codes + i] & 0xFF) > PackedPage.SAME_VALUE) {
        return false;
      }
    }
    return true;
  }

  /** Returns the page that the entry is in, all of it checked, until the next move. */
  MemorySegment checkedLeaf() {
    PageView leaf = leaf();
    PageSpace space = Objects.requireNonNull(tree).space();
    if (space.isFile()) {
      long address = Objects.requireNonNull(walk).address();
      PageChecker.checkFields(leaf.segment(), leaf.page(), space.name(), address);
    }
    return leaf.segment().asSlice(leaf.page(), leafBytes());
  }

  /** Passes by the rest of the leaf: the next move goes to the next one. */
  void endLeaf() {
    index = count - 1;
  }

  /** Says that the page under way is not as it should be. */
  CorruptionException damage(String expected, String found) {
    long address = walk == null ? 0 : walk.address();
    return Objects.requireNonNull(tree).space().damage(address, expected, found);
  }

  /**
   * Returns how many bytes the key shares with the one before it in this walk; 0, whatever they
   * share, for the first entry of a tree.
   */
  int lcp() {
    return lcp;
  }

  /** Returns whether the entry is the first of its tree, and {@link #lcp} says nothing. */
  boolean isFirstOfTree() {
    return firstOfTree;
  }

  /** Returns the byte after the shared ones; -1 for the empty key. */
  int criticalByte() {
    return criticalByte;
  }

  /** Returns the array that holds the rest of the key, until the next move. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * Returns where the key would begin if the bytes before its rest were stored: byte i of the key
   * stands at i bytes from there, if i is greater than {@link #lcp}.
   */
  int keyAt() {
    return keyAt;
  }

  /** Returns the length of the whole key. */
  int keyLength() {
    return keyLength;
  }

  /** Returns the kind of entry, one of {@link EntryKind}. */
  byte kind() {
    return kind;
  }

  /** Returns the array that holds the value, until the next move. */
  byte[] valueBytes() {
    return valueBytes;
  }

  /** Returns where the value stands, or the reference to it. */
  int valueAt() {
    return valueAt;
  }

  /** Returns the number of bytes of the value, or of the reference to it. */
  int valueLength() {
    return valueLength;
  }
}
