package io.github.coppicedb.tree;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.page.PageSearch;
import io.github.coppicedb.storage.MappedFile;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted set of entries, one a key, tombstones among them, with the ranges of keys
 * that it hides in older layers: a B+tree of packed pages in heap or in a file, searched by the
 * same code. May have no entries.
 *
 * <p>A get waits for memory about twice: for a line of the filter, where that is {@linkplain
 * FilterUse worth while}, and for those of the leaf, which it fetches side by side. The inner pages
 * are passed by once there is a {@link LeafGuide}.
 *
 * <p>Any thread may use it until {@link #release}. A page of a file is checked the first time that
 * it is touched, a leaf by a cursor that goes up as it gets on; damage is a {@link
 * CorruptionException}. Every loop is bounded by the height and the entries of a page, whatever the
 * bytes are.
 */
public final class PackedTree {
  private static final byte[] NO_KEY = new byte[0];

  /** A guide is made after a search for each so many bytes of the tree: about one a leaf. */
  private static final long BYTES_BEFORE_GUIDE = 4096;

  /** A tree that has nothing and hides nothing. */
  public static final PackedTree EMPTY =
      TreeBuilder.inHeap(TreeSettings.DEFAULT).finish(MaskedRanges.NONE);

  private final PageSpace space;
  private final TreeSummary summary;
  private final @Nullable BlockedBloomFilter filter;
  private final long bytes;
  private final long fileId;
  private final @Nullable MappedFile file;
  private final FilterUse filterUse = new FilterUse();

  // These two race without harm: a guide is immutable, and counts may get lost.
  private @Nullable LeafGuide guide;
  private int searches;

  PackedTree(
      PageSpace space,
      TreeSummary summary,
      @Nullable BlockedBloomFilter filter,
      long bytes,
      long fileId,
      @Nullable MappedFile file) {
    this.space = space;
    this.summary = summary;
    this.filter = filter;
    this.bytes = bytes;
    this.fileId = fileId;
    this.file = file;
  }

  /**
   * Finds the entry of a key.
   *
   * @param hash the key's {@link io.github.coppicedb.format.KeyHash}
   * @param out is filled in when there is an entry, which may be a tombstone
   * @return whether the tree has an entry of the key; its masks are not looked at
   */
  public boolean find(byte[] key, int keyLength, long hash, EntryValue out) {
    if (summary.height() == 0) {
      return false;
    }
    boolean denied = filter != null && filterUse.isWorthWhile() && !filter.mayContain(hash);
    boolean found = !denied && search(key, keyLength, out);
    filterUse.note(hash, found);
    return found;
  }

  private boolean search(byte[] key, int keyLength, EntryValue out) {
    try {
      return searchPages(key, keyLength, out);
    } catch (IndexOutOfBoundsException e) {
      throw outside(e);
    }
  }

  private boolean searchPages(byte[] key, int keyLength, EntryValue out) {
    long address = summary.root();
    int level = summary.height() - 1;
    LeafGuide known = level > 0 ? guide() : null;
    if (known != null) {
      address = known.leaf(key, keyLength);
      level = 0;
    }
    int shared = 0;
    for (; level > 0; level--) {
      space.touch(address, level);
      MemorySegment s = space.segment(address);
      long page = space.offset(address);
      long result = PageSearch.floor(s, page, key, keyLength, shared);
      int index = PageSearch.index(result);
      if (index < 0) {
        throw space.damage(address, "a first separator at most the key", "a greater one");
      }
      shared = PageSearch.shared(result);
      address = PackedPage.child(s, page, PackedPage.count(s, page), index);
    }
    return searchLeaf(address, key, keyLength, shared, out);
  }

  private boolean searchLeaf(long address, byte[] key, int keyLength, int shared, EntryValue out) {
    MemorySegment s = space.segment(address);
    long page = space.offset(address);
    PageSearch.fetch(s, page);
    space.touch(address, 0);
    long result = PageSearch.floor(s, page, key, keyLength, shared);
    if (!PageSearch.exact(result)) {
      return false;
    }
    LeafValues.fillOne(s, page, PackedPage.count(s, page), PageSearch.index(result), out);
    return true;
  }

  private @Nullable LeafGuide guide() {
    LeafGuide known = guide;
    if (known == null && searches >= 0 && ++searches > bytes / BYTES_BEFORE_GUIDE) {
      // Whoever comes meanwhile goes through the pages.
      searches = -1;
      known = makeGuide();
      guide = known;
    }
    return known;
  }

  private @Nullable LeafGuide makeGuide() {
    try {
      return LeafGuide.of(this);
    } catch (CorruptionException | IndexOutOfBoundsException e) {
      // Of damage only a search that meets it may tell.
      return null;
    }
  }

  /**
   * Translates an access outside of the pages: the structure of a file is not what it should be.
   */
  CorruptionException outside(IndexOutOfBoundsException cause) {
    CorruptionException damage =
        space.damage(
            Math.max(0, summary.root()), "places inside the pages", "" + cause.getMessage());
    damage.initCause(cause);
    return damage;
  }

  /** Returns a new cursor over the entries. */
  public EntryCursor cursor() {
    return new TreeCursor(this);
  }

  /** Returns what the tree hides in older layers. */
  public MaskedRanges masks() {
    return summary.masks();
  }

  /** Returns the number of entries, tombstones included. */
  public long entries() {
    return summary.entries();
  }

  /** Returns the number of tombstones. */
  public long tombstones() {
    return summary.tombstones();
  }

  /** Returns the size in bytes: of the file, or of pages and filter in heap. */
  public long bytes() {
    return bytes;
  }

  /** Returns the id of the tree's file, or 0 for a tree in heap. */
  public long fileId() {
    return fileId;
  }

  /** Returns whether the tree lies in heap, not in a file. */
  public boolean isInHeap() {
    return file == null;
  }

  /** Returns the name of the tree's file, or "memory". */
  public String name() {
    return space.name();
  }

  /** Returns the least key that the tree has or hides; the empty key when there is nothing. */
  public byte[] lowKey() {
    List<MaskedRanges.Range> masks = masks().list();
    if (masks.isEmpty()) {
      return summary.firstKey();
    }
    byte[] low = masks.getFirst().low();
    boolean first = entries() > 0 && Arrays.compareUnsigned(summary.firstKey(), low) < 0;
    return first ? summary.firstKey() : low;
  }

  /**
   * Returns the least key above all that the tree has or hides, or null when it hides all to the
   * end; the empty key when there is nothing.
   */
  public byte @Nullable [] highKey() {
    byte[] last = summary.lastKey();
    byte[] high = entries() == 0 ? NO_KEY : Arrays.copyOf(last, last.length + 1);
    if (masks().isEmpty()) {
      return high;
    }
    byte[] mask = masks().list().getLast().high();
    return mask == null || Arrays.compareUnsigned(mask, high) > 0 ? mask : high;
  }

  /** Returns the ids of the value files that entries refer to, distinct and in order. */
  public long[] largeFiles() {
    return summary.largeFiles().clone();
  }

  /** Returns whether an entry refers to a value file. */
  public boolean refersTo(long valueFile) {
    return Arrays.binarySearch(summary.largeFiles(), valueFile) >= 0;
  }

  /**
   * Reads and checks all of the tree.
   *
   * @return what was counted
   * @throws CorruptionException at the first damage
   */
  public TreeChecker.Counts check() {
    return TreeChecker.check(this);
  }

  /** Unmaps the tree's file, if it has one. Nobody may use the tree any more. Idempotent. */
  public void release() {
    if (file != null) {
      file.close();
    }
  }

  PageSpace space() {
    return space;
  }

  TreeSummary summary() {
    return summary;
  }

  @Nullable BlockedBloomFilter filter() {
    return filter;
  }
}
