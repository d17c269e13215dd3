package io.github.coppicedb.tree;

import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.page.PageKeys;
import io.github.coppicedb.page.PageSearch;
import java.lang.foreign.MemorySegment;

/**
 * A way from the root of a tree to one of its leaves, and from there to the leaves beside. Confined
 * to one thread.
 */
final class TreePath {
  private final PageSpace space;
  private final long root;
  private final int height;

  /** The page of each level, and which of its entries the way takes. */
  private final long[] pages;

  private final int[] slots;

  private MemorySegment segment = MemorySegment.NULL;
  private long leaf;

  /** Makes a way that leads nowhere yet. */
  TreePath(PackedTree tree) {
    this.space = tree.space();
    this.root = tree.summary().root();
    this.height = tree.summary().height();
    this.pages = new long[height];
    this.slots = new int[height];
  }

  /** Returns whether the tree has no pages; then no way may be sought. */
  boolean isEmpty() {
    return height == 0;
  }

  /** Returns the segment that holds the leaf. */
  MemorySegment segment() {
    return segment;
  }

  /** Returns where the leaf begins in its segment. */
  long leaf() {
    return leaf;
  }

  /** Returns the number of entries of the leaf. */
  int count() {
    return PackedPage.count(segment, leaf);
  }

  /** Returns the leaf's address in the tree. */
  long address() {
    return pages[0];
  }

  /** Goes to the leaf where a key belongs and returns the result of the search in it. */
  long seek(byte[] key, int length) {
    enter(height - 1, root);
    int shared = 0;
    for (int level = height - 1; level > 0; level--) {
      long result = PageSearch.floor(segment, leaf, key, length, shared);
      if (PageSearch.index(result) < 0) {
        throw space.damage(pages[level], "a first separator at most the key", "a greater one");
      }
      shared = PageSearch.shared(result);
      take(level, PageSearch.index(result));
    }
    return PageSearch.floor(segment, leaf, key, length, shared);
  }

  /** Goes to the first leaf, which is still to be touched. */
  void first() {
    enterUpwards(height - 1, root);
    descend(height - 1, false);
  }

  /** Goes to the last leaf. */
  void last() {
    enter(height - 1, root);
    descend(height - 1, true);
  }

  /** Goes to the next leaf, which is still to be touched; false leaves the way as it is. */
  boolean nextLeaf() {
    for (int level = 1; level < height; level++) {
      look(pages[level]);
      if (slots[level] + 1 < count()) {
        takeUpwards(level, slots[level] + 1);
        descend(level - 1, false);
        return true;
      }
    }
    backToLeaf();
    return false;
  }

  /** Goes to the previous leaf; false leaves the way as it is. */
  boolean previousLeaf() {
    for (int level = 1; level < height; level++) {
      if (slots[level] > 0) {
        look(pages[level]);
        take(level, slots[level] - 1);
        descend(level - 1, true);
        return true;
      }
    }
    backToLeaf();
    return false;
  }

  private void backToLeaf() {
    if (height > 1) {
      look(pages[0]);
    }
  }

  private void descend(int from, boolean toLast) {
    for (int level = from; level > 0; level--) {
      if (toLast) {
        take(level, count() - 1);
      } else {
        takeUpwards(level, 0);
      }
    }
  }

  /** From the inner page that is looked at, enters the child of one of its entries. */
  private void take(int level, int slot) {
    slots[level] = slot;
    long child = PackedPage.child(segment, leaf, count(), slot);
    if (level == 1) {
      PageSearch.fetch(space.segment(child), space.offset(child));
    }
    enter(level - 1, child);
  }

  /** As {@link #take}, but a leaf is not touched. */
  private void takeUpwards(int level, int slot) {
    slots[level] = slot;
    enterUpwards(level - 1, PackedPage.child(segment, leaf, count(), slot));
  }

  private void enter(int level, long address) {
    space.touch(address, level);
    pages[level] = address;
    look(address);
  }

  private void enterUpwards(int level, long address) {
    if (level > 0) {
      enter(level, address);
      return;
    }
    pages[0] = address;
    look(address);
  }

  /**
   * Enters the leaf, before its first entry; it need not have been touched.
   *
   * @return whether the keys check it as they go through it; say {@link #passed} when they did
   */
  boolean enterLeaf(PageKeys keys) {
    return space.enterLeaf(pages[0], keys);
  }

  /** Takes note that all of the leaf was checked. */
  void passed() {
    space.passed(pages[0]);
  }

  /** Makes sure that all of the leaf was checked. */
  void touchLeaf() {
    space.touch(pages[0], 0);
  }

  private void look(long address) {
    segment = space.segment(address);
    leaf = space.offset(address);
  }
}
