package io.github.coppicedb.tree;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.page.PageChecker;
import io.github.coppicedb.page.PageKeys;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The pages of one tree by their addresses: in heap a list of chunks, in a file one mapped segment.
 * A page lies in one chunk. Pages of a file are checked when first touched, or on the first walk
 * over them. For any thread.
 */
final class PageSpace {
  private static final int FILE_SHIFT = 62;

  private final MemorySegment[] chunks;

  /** The arrays of the chunks in heap; none for a file. */
  private final byte[][] arrays;

  private final int shift;
  private final String name;
  private final @Nullable TouchedPages touched;

  private PageSpace(
      MemorySegment[] chunks,
      byte[][] arrays,
      int shift,
      String name,
      @Nullable TouchedPages touched) {
    this.chunks = chunks;
    this.arrays = arrays;
    this.shift = shift;
    this.name = name;
    this.touched = touched;
  }

  /** Makes a space of pages that this process built. */
  static PageSpace inHeap(byte[][] chunks, int shift) {
    MemorySegment[] segments =
        Arrays.stream(chunks).map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
    return new PageSpace(segments, chunks, shift, "memory", null);
  }

  /** Makes a space of the pages of a file; addresses are places in the segment. */
  static PageSpace inFile(String name, MemorySegment pages) {
    return new PageSpace(
        new MemorySegment[] {pages},
        new byte[0][],
        FILE_SHIFT,
        name,
        new TouchedPages(pages.byteSize()));
  }

  /** Returns the file's name, or "memory". */
  String name() {
    return name;
  }

  boolean isFile() {
    return touched != null;
  }

  /** Returns the segment that holds the page at an address. */
  MemorySegment segment(long address) {
    return chunks[(int) (address >>> shift)];
  }

  /** Returns the array of the segment that holds the page at an address, of a tree in heap. */
  byte[] array(long address) {
    return arrays[(int) (address >>> shift)];
  }

  /** Returns where in its segment the page at an address begins. */
  long offset(long address) {
    return address & ((1L << shift) - 1);
  }

  /** Makes sure that a page that is about to be read is whole, and of the expected level. */
  void touch(long address, int level) {
    if (!isTouched(address)) {
      check(address);
      passed(address);
    }
    requireLevel(address, level);
  }

  /** Returns whether all of a page was checked, or need not be. */
  boolean isTouched(long address) {
    return touched == null || touched.contains(address);
  }

  /**
   * Enters a leaf, before its first entry; it need not have been touched.
   *
   * @return whether the keys check it as they go through it; say {@link #passed} when they did
   */
  boolean enterLeaf(long address, PageKeys keys) {
    boolean unchecked = !isTouched(address);
    if (unchecked) {
      keys.enterUnchecked(segment(address), offset(address), name, address);
    } else {
      keys.enter(segment(address), offset(address));
    }
    requireLevel(address, 0);
    return unchecked;
  }

  /** Takes note that all of a page was checked. */
  void passed(long address) {
    if (touched != null) {
      touched.add(address);
    }
  }

  /** Makes sure that a checked page is of the expected level. */
  void requireLevel(long address, int level) {
    int found = PackedPage.level(segment(address), offset(address));
    if (found != level) {
      throw wrongLevel(address, level, found);
    }
  }

  /** Says that a page is not of the level that its parent means it to be. */
  CorruptionException wrongLevel(long address, int expected, int found) {
    return damage(address, "a page of level " + expected, "" + found);
  }

  /** Checks all that a page says of itself, always. */
  void check(long address) {
    MemorySegment segment = segment(address);
    long page = offset(address);
    PageChecker.checkBytes(segment, page, name, address);
    PageChecker.checkFields(segment, page, name, address);
  }

  /** Says that the tree's structure does not hold at an address. */
  CorruptionException damage(long address, String expected, String found) {
    return new CorruptionException(name, address, expected, found);
  }
}
