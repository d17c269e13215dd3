package io.github.coppicedb.tree;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.format.ValueReference;
import io.github.coppicedb.page.PageKeys;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads all of a tree and checks it: each page alone, the order of keys across pages, what they are
 * said to share, separators, levels, addresses, the filter, and what the summary says. Recursion is
 * as deep as the tree is high. Confined to one thread.
 */
public final class TreeChecker {
  private final PackedTree tree;
  private final PageSpace space;
  private final @Nullable BlockedBloomFilter filter;

  /** The last key met on each level; null before the first. */
  private final @Nullable Key[] lastKeys;

  private final TreeSet<Long> largeFiles = new TreeSet<>();
  private final EntryValue value = new EntryValue();
  private byte @Nullable [] firstKey;
  private long leavesEnd;
  private long pages;
  private long entries;
  private long tombstones;

  /**
   * What a check met.
   *
   * @param pages number of pages, leaves and inner ones
   * @param entries number of entries, tombstones included
   * @param tombstones number of tombstones
   */
  public record Counts(long pages, long entries, long tombstones) {}

  /** A whole key. */
  private record Key(byte[] bytes) {}

  private TreeChecker(PackedTree tree) {
    this.tree = tree;
    this.space = tree.space();
    this.filter = tree.filter();
    this.lastKeys = new Key[tree.summary().height()];
  }

  /**
   * Checks a tree.
   *
   * @throws io.github.coppicedb.CorruptionException at the first damage
   */
  static Counts check(PackedTree tree) {
    TreeChecker checker = new TreeChecker(tree);
    try {
      checker.run();
    } catch (IndexOutOfBoundsException e) {
      throw tree.outside(e);
    }
    return new Counts(checker.pages, checker.entries, checker.tombstones);
  }

  private void run() {
    TreeSummary summary = tree.summary();
    if (filter != null) {
      filter.checkAll();
    }
    if (summary.height() > 0) {
      page(summary.root(), summary.height() - 1, new byte[0]);
    }
    require(entries == summary.entries(), "entries " + summary.entries(), "" + entries);
    require(
        tombstones == summary.tombstones(), "tombstones " + summary.tombstones(), "" + tombstones);
    long[] files = largeFiles.stream().mapToLong(Long::longValue).toArray();
    require(Arrays.equals(files, summary.largeFiles()), "the value files it says", "others");
    if (summary.height() > 0) {
      require(Arrays.equals(firstKey, summary.firstKey()), "the first key", "another");
      Key last = lastKeys[0];
      boolean same = last != null && Arrays.equals(last.bytes, summary.lastKey());
      require(same, "the last key", "another");
    }
  }

  private void page(long address, int level, byte[] separator) {
    space.check(address);
    space.requireLevel(address, level);
    pages++;
    MemorySegment s = space.segment(address);
    long page = space.offset(address);
    if (level == 0) {
      require(address >= leavesEnd, "a leaf at " + leavesEnd + " or later", "" + address);
      leavesEnd = PackedPage.align(address + PackedPage.size(s, page));
    }
    int n = PackedPage.count(s, page);
    PageKeys keys = new PageKeys();
    keys.enter(s, page);
    while (keys.next()) {
      byte[] key = Arrays.copyOf(keys.key(), keys.keyLength());
      checkOrder(address, level, key, keys);
      if (keys.index() == 0) {
        checkSeparator(address, level, key, separator);
      }
      lastKeys[level] = new Key(key);
      if (level > 0) {
        long child = PackedPage.child(s, page, n, keys.index());
        requireAt(address, child < address, "a child before its parent", "at " + child);
        page(child, level - 1, key);
      } else {
        entry(address, s, page, n, keys.index(), key);
      }
    }
  }

  private void checkOrder(long address, int level, byte[] key, PageKeys keys) {
    Key last = lastKeys[level];
    if (last == null) {
      requireAt(address, keys.lcp() == 0, "lcp 0 of the first key", "" + keys.lcp());
      return;
    }
    requireAt(
        address, Arrays.compareUnsigned(last.bytes, key) < 0, "keys in order", "a lesser key");
    int lcp = Arrays.mismatch(last.bytes, key);
    if (keys.lcp() != lcp) {
      throw space.damage(address, "lcp " + lcp + " of entry " + keys.index(), "" + keys.lcp());
    }
  }

  private void checkSeparator(long address, int level, byte[] key, byte[] separator) {
    if (level > 0) {
      requireAt(address, Arrays.equals(key, separator), "the parent's separator", "another key");
      return;
    }
    int mismatch = Arrays.mismatch(key, separator);
    boolean prefix = mismatch < 0 || mismatch == separator.length;
    requireAt(address, prefix, "a key that begins as its separator", "another key");
    Key last = lastKeys[0];
    requireAt(
        address,
        last == null || Arrays.compareUnsigned(last.bytes, separator) < 0,
        "a separator above the leaf before",
        "a lesser one");
  }

  private void entry(long address, MemorySegment s, long page, int n, int i, byte[] key) {
    if (firstKey == null) {
      firstKey = key;
    }
    entries++;
    LeafValues.fillOne(s, page, n, i, value);
    if (value.kind() == EntryKind.TOMBSTONE) {
      tombstones++;
    } else if (value.kind() == EntryKind.LARGE) {
      largeFiles.add(ValueReference.fileId(value.segment(), value.offset()));
    }
    boolean known = filter == null || filter.mayContain(KeyHash.of(key, key.length));
    requireAt(address, known, "each key in the filter", "a key that is not");
  }

  private void requireAt(long address, boolean condition, String expected, String found) {
    if (!condition) {
      throw space.damage(address, expected, found);
    }
  }

  private void require(boolean condition, String expected, String found) {
    requireAt(Math.max(0, tree.summary().root()), condition, expected, found);
  }
}
