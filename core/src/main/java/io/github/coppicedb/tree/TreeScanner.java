package io.github.coppicedb.tree;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.PackedPage;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A forward walk over the entries of a run (trees with disjoint key ranges, in order) that shows
 * them as they are stored: how many bytes a key shares with the one before, its critical byte, and
 * the rest. No key is put together. For merges; pages of files are checked again whatever was
 * checked before. Confined to one thread.
 */
public final class TreeScanner {
  private final List<PackedTree> run;
  private int treesBegun;
  private @Nullable PackedTree tree;
  private @Nullable TreePath path;

  private MemorySegment segment = MemorySegment.NULL;
  private int count;
  private int index;
  private int leastLcp;
  private long page;
  private int flags;
  private long codes;
  private long pageEnd;
  private long nextRest;
  private long nextValue;
  private boolean hasValues;

  private boolean firstOfTree;
  private int lcp;
  private int criticalByte;
  private long restOffset;
  private int restLength;
  private byte kind;
  private long valueOffset;
  private long valueLength;

  /** Starts before the first entry of trees with disjoint key ranges in ascending order. */
  public TreeScanner(List<PackedTree> run) {
    this.run = List.copyOf(run);
  }

  /** Moves to the next entry; false at the end. */
  public boolean next() {
    try {
      if (index + 1 < count) {
        firstOfTree = false;
        index++;
        readEntry();
      } else if (!nextPage()) {
        return false;
      }
      if (hasValues) {
        readValue();
      }
      return true;
    } catch (IndexOutOfBoundsException e) {
      throw Objects.requireNonNull(tree).outside(e);
    }
  }

  private boolean nextPage() {
    firstOfTree = false;
    TreePath way = path;
    if (way == null || !way.nextLeaf()) {
      way = nextTree();
    }
    path = way;
    index = 0;
    count = 0;
    if (way == null) {
      return false;
    }
    enterPage(way);
    return true;
  }

  private @Nullable TreePath nextTree() {
    while (treesBegun < run.size()) {
      PackedTree next = run.get(treesBegun++);
      if (next.entries() > 0) {
        tree = next;
        firstOfTree = true;
        TreePath way = new TreePath(next, next.space().isFile());
        way.first();
        return way;
      }
    }
    return null;
  }

  private void enterPage(TreePath way) {
    segment = way.segment();
    count = way.count();
    page = way.leaf();
    flags = PackedPage.flags(segment, page);
    leastLcp = PackedPage.leastLcp(segment, page);
    pageEnd = page + PackedPage.size(segment, page);
    hasValues = PackedPage.hasValues(segment, page);
    kind = EntryKind.PUT;
    valueOffset = page;
    valueLength = 0;
    if (hasValues) {
      codes = PackedPage.payloadAt(page, count, flags);
      nextValue = page + Bytes.u32(segment, PackedPage.valueStartsAt(page, count, flags));
    }
    long key = PackedPage.firstKeyAt(segment, page, count);
    int length = PackedPage.firstLength(segment, page);
    lcp = firstOfTree ? 0 : PackedPage.firstLcp(segment, page);
    criticalByte = length > 0 ? Bytes.u8(segment, key + lcp) : -1;
    restOffset = key + lcp + 1;
    restLength = length - lcp - 1;
    nextRest = key + length;
  }

  private void readEntry() {
    int critical = PackedPage.critical(segment, page, count, index);
    lcp = leastLcp + PackedPage.lcpOver(critical);
    criticalByte = PackedPage.criticalByte(critical);
    int code = PackedPage.lengthCode(segment, page, count, index, flags);
    int length = PackedPage.restLength(segment, code, nextRest, flags);
    long at = nextRest + PackedPage.restHead(code, length, flags);
    restOffset = at;
    restLength = length;
    nextRest = at + length;
    if (length < 0 || nextRest > pageEnd) {
      throw damage("the rest of a key inside the page", length + " bytes");
    }
  }

  private void readValue() {
    int code = Bytes.u8(segment, codes + index);
    kind = PackedPage.kind(code);
    valueOffset = nextValue + PackedPage.valueHead(code);
    valueLength = PackedPage.valueLength(segment, code, nextValue);
    nextValue = valueOffset + valueLength;
    if (nextValue > pageEnd) {
      throw damage("a value inside the page", valueLength + " bytes");
    }
  }

  /** Says that the page under way is not as it should be. */
  CorruptionException damage(String expected, String found) {
    long address = path == null ? 0 : path.address();
    return Objects.requireNonNull(tree).space().damage(address, expected, found);
  }

  /**
   * Returns how many bytes the key shares with the one before it in this walk; 0, whatever they
   * share, for the first entry of a tree.
   */
  public int lcp() {
    return lcp;
  }

  /** Returns whether the entry is the first of its tree, and {@link #lcp} says nothing. */
  public boolean isFirstOfTree() {
    return firstOfTree;
  }

  /** Returns the byte after the shared ones; -1 for the empty key. */
  public int criticalByte() {
    return criticalByte;
  }

  /** Returns the segment that holds the rest of the key and the value. */
  public MemorySegment segment() {
    return segment;
  }

  /** Returns where the bytes after the critical byte stand. */
  public long restOffset() {
    return restOffset;
  }

  /** Returns the number of bytes after the critical byte; -1 for the empty key. */
  public int restLength() {
    return restLength;
  }

  /** Returns the length of the whole key. */
  public int keyLength() {
    return lcp + 1 + restLength;
  }

  /** Returns the kind of entry, one of {@link EntryKind}. */
  public byte kind() {
    return kind;
  }

  /** Returns where the value stands, or the reference to it. */
  public long valueOffset() {
    return valueOffset;
  }

  /** Returns the number of bytes of the value, or of the reference to it. */
  public long valueLength() {
    return valueLength;
  }
}
