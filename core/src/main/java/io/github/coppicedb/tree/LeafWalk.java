package io.github.coppicedb.tree;

/** A walk over all leaves of a tree, from the first to the last. Confined to one thread. */
final class LeafWalk {
  private final PageSpace space;
  private final long root;
  private final int height;

  /** The page of each level, the leaf at 0, and which of its entries the walk took. */
  private final PageView[] pages;

  private final int[] slots;
  private long address;
  private boolean begun;

  /** Starts before the first leaf. */
  LeafWalk(PackedTree tree) {
    space = tree.space();
    root = tree.summary().root();
    height = tree.summary().height();
    pages = new PageView[height];
    for (int level = 0; level < height; level++) {
      pages[level] = new PageView();
    }
    slots = new int[height];
  }

  /** Moves to the next leaf; false at the end. */
  boolean next() {
    if (!begun) {
      begun = true;
      enter(height - 1, root);
      return true;
    }
    int level = 1;
    while (level < height && slots[level] + 1 >= pages[level].count()) {
      level++;
    }
    if (level >= height) {
      return false;
    }
    slots[level]++;
    enter(level - 1, pages[level].child(slots[level]));
    return true;
  }

  /** Goes from a page down to its first leaf. */
  private void enter(int from, long at) {
    address = at;
    pages[from].read(space, address, from);
    for (int level = from; level > 0; level--) {
      slots[level] = 0;
      address = pages[level].child(0);
      pages[level - 1].read(space, address, level - 1);
    }
  }

  /** Returns the leaf. */
  PageView leaf() {
    return pages[0];
  }

  /** Returns the address of the page that was read last, the leaf if all is well. */
  long address() {
    return address;
  }
}
