package io.github.coppicedb.tree;

import io.github.coppicedb.format.PackedPage;

/**
 * Which pages of a file were checked since it was opened: a bit for each 64 bytes, in blocks that
 * are made when first needed. Threads race without harm: a bit or a block that gets lost means that
 * a page is checked once more.
 */
final class TouchedPages {
  private static final int BLOCK_SHIFT = 12;
  private static final int WORDS = 1 << (BLOCK_SHIFT - 6);

  private final long[][] blocks;

  TouchedPages(long bytes) {
    long units = bytes / PackedPage.ALIGNMENT + 1;
    blocks = new long[Math.toIntExact((units >>> BLOCK_SHIFT) + 1)][];
  }

  /** Returns whether the page at an address was added; false for an address of no page. */
  boolean contains(long address) {
    long unit = address / PackedPage.ALIGNMENT;
    long block = unit >>> BLOCK_SHIFT;
    if (block < 0 || block >= blocks.length) {
      return false;
    }
    long[] words = blocks[(int) block];
    return words != null && (words[word(unit)] >>> unit & 1) != 0;
  }

  /** Adds the page at an address, which lies inside the file. */
  void add(long address) {
    long unit = address / PackedPage.ALIGNMENT;
    int block = (int) (unit >>> BLOCK_SHIFT);
    long[] words = blocks[block];
    if (words == null) {
      words = new long[WORDS];
      blocks[block] = words;
    }
    words[word(unit)] |= 1L << unit;
  }

  private static int word(long unit) {
    return (int) (unit >>> 6) & (WORDS - 1);
  }
}
