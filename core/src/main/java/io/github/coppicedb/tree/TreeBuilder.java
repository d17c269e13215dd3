package io.github.coppicedb.tree;

import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.format.ValueReference;
import io.github.coppicedb.page.PageBuilder;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Builds a packed tree from entries in ascending order of their keys. Leaves go to the output as
 * they fill; the inner levels follow at the end. Inner pages hold the shortest prefix of a leaf's
 * first key that is greater than the last key before it (Bayer and Unterauer, "Prefix B-Trees",
 * TODS 2(1), 1977). Confined to one thread.
 */
public final class TreeBuilder {
  private static final byte[] NO_KEY = new byte[0];

  private final TreeOutput output;
  private final TreeSettings settings;
  private final PageBuilder leaf;
  private final Separators leaves = new Separators();
  private final BlockedBloomFilter.@Nullable Builder filter;
  private final TreeSet<Long> largeFiles = new TreeSet<>();

  private byte[] lastKey = new byte[64];
  private int lastKeyLength;
  private byte[] firstKey = NO_KEY;

  /** The separator of the leaf under way. */
  private byte[] separator = NO_KEY;

  private int separatorLcp;

  private long entries;
  private long tombstones;
  private long writtenBytes;
  private boolean ended;

  /** Makes a builder of a tree that goes to the given output. */
  public TreeBuilder(TreeOutput output, TreeSettings settings) {
    this.output = output;
    this.settings = settings;
    this.leaf = new PageBuilder(settings.pageBytes(), 0);
    this.filter = settings.filterBitsPerKey() > 0 ? new BlockedBloomFilter.Builder() : null;
  }

  /** Returns a builder of a tree in heap. */
  public static TreeBuilder inHeap(TreeSettings settings) {
    return new TreeBuilder(new HeapTreeOutput(), settings);
  }

  /**
   * Adds an entry by what its key does not share with the key before it.
   *
   * @param lcp bytes shared with the key added before; 0 for the first
   * @param keySource holds the key's bytes from byte {@code lcp} on
   * @param restOffset where they begin
   * @param restLength their number; 0 only for the empty key, which is the first
   * @param kind one of {@link EntryKind}
   * @param valueSource holds the value, or the {@link ValueReference} of a large one
   * @param valueOffset where it begins
   * @param valueLength its number of bytes; 0 for a tombstone
   */
  public void add(
      int lcp,
      MemorySegment keySource,
      long restOffset,
      int restLength,
      byte kind,
      MemorySegment valueSource,
      long valueOffset,
      long valueLength) {
    int length = lcp + restLength;
    ensureKey(length);
    Bytes.copy(keySource, restOffset, lastKey, lcp, restLength);
    addLast(lcp, length, kind, valueSource, valueOffset, valueLength);
  }

  /**
   * Adds an entry whose whole key the caller has at hand.
   *
   * @param lcp bytes shared with the key added before; 0 for the first
   */
  public void addWhole(
      int lcp,
      byte[] key,
      int keyLength,
      byte kind,
      MemorySegment valueSource,
      long valueOffset,
      long valueLength) {
    ensureKey(keyLength);
    System.arraycopy(key, lcp, lastKey, lcp, keyLength - lcp);
    addLast(lcp, keyLength, kind, valueSource, valueOffset, valueLength);
  }

  private void ensureKey(int length) {
    if (length > lastKey.length) {
      lastKey = Arrays.copyOf(lastKey, Math.max(length, 2 * lastKey.length));
    }
  }

  private void addLast(
      int lcp,
      int keyLength,
      byte kind,
      MemorySegment valueSource,
      long valueOffset,
      long valueLength) {
    byte[] key = lastKey;
    lastKeyLength = keyLength;
    if (!leaf.accepts(lcp)) {
      beginLeaf(lcp, key);
    } else if (entries == 0) {
      firstKey = Arrays.copyOf(key, keyLength);
    }
    leaf.add(lcp, key, keyLength, kind, valueSource, valueOffset, Math.toIntExact(valueLength));
    entries++;
    if (filter != null) {
      filter.add(KeyHash.of(key, keyLength));
    }
    if (kind == EntryKind.TOMBSTONE) {
      tombstones++;
    } else if (kind == EntryKind.LARGE) {
      largeFiles.add(ValueReference.fileId(valueSource, valueOffset));
    }
  }

  private void beginLeaf(int lcp, byte[] key) {
    int sharedWithFirst = Math.min(leaf.leastLcp(), lcp);
    int previousLength = separator.length;
    closeLeaf();
    separator = Arrays.copyOf(key, lcp + 1);
    separatorLcp = Math.min(previousLength, sharedWithFirst);
  }

  private void closeLeaf() {
    MemorySegment page = leaf.finish();
    long address = output.append(page);
    writtenBytes += page.byteSize();
    leaves.add(separatorLcp, separator, separator.length, address);
  }

  /** Returns the number of entries so far. */
  public long entries() {
    return entries;
  }

  /** Returns about how many bytes the tree has so far, without its filter and inner pages. */
  public long bytes() {
    return writtenBytes + (leaf.count() == 0 ? 0 : leaf.size());
  }

  /** Says that no more entries follow; the tree is still to be finished. Idempotent. */
  public void endEntries() {
    if (!ended) {
      ended = true;
      lastKey = Arrays.copyOf(lastKey, lastKeyLength);
      if (entries > 0) {
        closeLeaf();
      }
    }
  }

  /** Returns whether {@link #endEntries} was called. */
  public boolean isEnded() {
    return ended;
  }

  /** Ends the tree, which may have no entries. */
  public PackedTree finish(MaskedRanges masks) {
    endEntries();
    int height = 0;
    long root = -1;
    if (entries > 0) {
      Separators pages = leaves;
      height = 1;
      while (pages.count() > 1) {
        pages = pages.buildLevel(output, settings.pageBytes(), height);
        height++;
      }
      root = pages.firstPage();
    }
    TreeSummary summary =
        new TreeSummary(
            root,
            height,
            entries,
            tombstones,
            firstKey,
            lastKey,
            masks,
            largeFiles.stream().mapToLong(Long::longValue).toArray());
    if (filter == null || entries == 0) {
      return output.finish(summary, null);
    }
    return output.finish(summary, filter.build(settings.filterBitsPerKey()));
  }

  /** Drops the tree and what was written of it. */
  public void abort() {
    output.abort();
  }
}
