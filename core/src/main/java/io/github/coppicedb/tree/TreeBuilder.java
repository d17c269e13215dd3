package io.github.coppicedb.tree;

import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.format.ValueReference;
import io.github.coppicedb.page.PageBuilder;
import io.github.coppicedb.page.PageKeys;
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

  private byte[] firstKey = NO_KEY;
  private byte[] lastKey = NO_KEY;

  /** The separator of the leaf under way. */
  private byte[] separator = NO_KEY;

  private int separatorLcp;

  /** The least that an entry of the last leaf shares with the one before, its first left out. */
  private int leastLcp = Integer.MAX_VALUE;

  private final PageKeys copiedKeys = new PageKeys();

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
   * Adds an entry.
   *
   * @param lcp bytes shared with the key added before; 0 for the first
   * @param source holds the key
   * @param keyAt where the key begins
   * @param keyLength its number of bytes; 0 only for the empty key, which is the first
   * @param kind one of {@link EntryKind}
   * @param valueSource holds the value, or the {@link ValueReference} of a large one
   * @param valueAt where it begins
   * @param valueLength its number of bytes; 0 for a tombstone
   */
  public void add(
      int lcp,
      byte[] source,
      int keyAt,
      int keyLength,
      byte kind,
      byte[] valueSource,
      int valueAt,
      int valueLength) {
    if (entries == 0) {
      firstKey = Arrays.copyOfRange(source, keyAt, keyAt + keyLength);
    } else if (leaf.count() == 0 || !leaf.accepts(lcp, kind, valueSource, valueAt, valueLength)) {
      beginLeaf(lcp, source, keyAt);
    }
    leaf.add(lcp, source, keyAt, keyLength, kind, valueSource, valueAt, valueLength);
    entries++;
    if (filter != null) {
      filter.add(KeyHash.of(source, keyAt, keyLength));
    }
    if (kind != EntryKind.PUT) {
      count(kind, valueSource, valueAt);
    }
  }

  private void count(byte kind, byte[] valueSource, int valueAt) {
    if (kind == EntryKind.TOMBSTONE) {
      tombstones++;
    } else {
      largeFiles.add(ValueReference.fileId(MemorySegment.ofArray(valueSource), valueAt));
    }
  }

  /**
   * Adds all entries of a leaf of another tree, by a copy of the page.
   *
   * @param lcp bytes that its first key shares with the key added before; 0 for the first
   * @param page the whole page, checked, all its entries puts whose values are in it
   * @return the keys of the page, on the last one, until the next call
   */
  PageKeys addLeaf(int lcp, MemorySegment page) {
    PageKeys keys = copiedKeys;
    keys.enter(page, 0);
    keys.next();
    if (entries == 0) {
      firstKey = Arrays.copyOf(keys.key(), keys.keyLength());
    } else {
      beginLeaf(lcp, keys.key(), 0);
    }
    append(PackedPage.firstLcp(page, 0) == lcp ? page : withFirstLcp(page, lcp));
    int count = keys.count();
    entries += count;
    leastLcp = count == 1 ? Integer.MAX_VALUE : PackedPage.leastLcp(page, 0);
    do {
      if (filter != null) {
        filter.add(KeyHash.of(keys.key(), 0, keys.keyLength()));
      }
    } while (keys.next());
    return keys;
  }

  private static MemorySegment withFirstLcp(MemorySegment page, int lcp) {
    int size = (int) page.byteSize();
    MemorySegment copy = MemorySegment.ofArray(new byte[size]).copyFrom(page);
    Bytes.put32(copy, PackedPage.FIRST_LCP, lcp);
    PackedPage.seal(copy, size);
    return copy;
  }

  /**
   * Closes the leaf under way, if there is one, and takes note of the least key of the next one.
   */
  private void beginLeaf(int lcp, byte[] source, int keyAt) {
    if (leaf.count() > 0) {
      closeLeaf();
    }
    int previousLength = separator.length;
    separator = Arrays.copyOfRange(source, keyAt, keyAt + lcp + 1);
    separatorLcp = Math.min(previousLength, Math.min(leastLcp, lcp));
  }

  /** Writes the leaf under way, and returns its bytes until the next entry. */
  private MemorySegment closeLeaf() {
    leastLcp = leaf.leastLcp();
    MemorySegment page = leaf.finish();
    append(page);
    return page;
  }

  private void append(MemorySegment page) {
    long address = output.append(page);
    writtenBytes += page.byteSize();
    leaves.add(separatorLcp, separator, separator.length, address);
  }

  private static byte[] lastKey(MemorySegment page) {
    PageKeys keys = new PageKeys();
    keys.enter(page, 0);
    keys.moveTo(PackedPage.count(page, 0) - 1, 0);
    return Arrays.copyOf(keys.key(), keys.keyLength());
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
      if (leaf.count() > 0) {
        lastKey = lastKey(closeLeaf());
      } else if (entries > 0) {
        lastKey = Arrays.copyOf(copiedKeys.key(), copiedKeys.keyLength());
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
