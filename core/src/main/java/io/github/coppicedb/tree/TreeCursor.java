package io.github.coppicedb.tree;

import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.page.PageKeys;
import io.github.coppicedb.page.PageSearch;

/**
 * The cursor of a packed tree: a way to a leaf, and the keys of that leaf. It may go from tree to
 * tree and keeps its buffers.
 */
public final class TreeCursor implements EntryCursor {
  private final PageKeys keys = new PageKeys();
  private final LeafValues values = new LeafValues();
  private PackedTree tree;
  private TreePath path;
  private boolean valid;
  // Whether the last move was a step that the keys of a page know of.
  private boolean stepped;
  private boolean hasValues;
  // Whether the leaf is one that was never touched, which the keys check while they go upwards.
  private boolean checksLeaf;

  private enum Place {
    FIRST,
    LAST,
    CEILING,
    FLOOR
  }

  /** Makes a cursor over a tree, positioned nowhere. */
  public TreeCursor(PackedTree tree) {
    this.tree = tree;
    this.path = new TreePath(tree);
  }

  /** Turns to another tree, positioned nowhere. */
  public void open(PackedTree other) {
    tree = other;
    path = new TreePath(other);
    valid = false;
  }

  @Override
  public boolean first() {
    return place(Place.FIRST, keys.key(), 0);
  }

  @Override
  public boolean last() {
    return place(Place.LAST, keys.key(), 0);
  }

  @Override
  public boolean seekCeiling(byte[] sought, int length) {
    return place(Place.CEILING, sought, length);
  }

  @Override
  public boolean seekFloor(byte[] sought, int length) {
    return place(Place.FLOOR, sought, length);
  }

  private boolean place(Place place, byte[] sought, int length) {
    valid = false;
    stepped = false;
    if (path.isEmpty()) {
      return false;
    }
    try {
      valid =
          switch (place) {
            case FIRST -> {
              path.first();
              yield enterFirst();
            }
            case LAST -> {
              path.last();
              yield enterLast(0);
            }
            case CEILING -> ceiling(sought, length);
            case FLOOR -> floor(sought, length);
          };
      return valid;
    } catch (IndexOutOfBoundsException e) {
      throw tree.outside(e);
    }
  }

  private boolean ceiling(byte[] sought, int length) {
    long result = path.seek(sought, length);
    int floor = PageSearch.index(result);
    if (PageSearch.exact(result)) {
      enter();
      keys.moveTo(floor, sought, length);
      return true;
    }
    if (floor + 1 < path.count()) {
      enter();
      // The key lies between two neighbours, so it has what they have in common.
      int known = floor < 0 ? 0 : Math.min(length, keys.lcp(floor + 1));
      keys.moveTo(floor + 1, sought, known);
      return true;
    }
    return path.nextLeaf() && enterFirst();
  }

  private boolean floor(byte[] sought, int length) {
    long result = path.seek(sought, length);
    int floor = PageSearch.index(result);
    if (floor >= 0) {
      enter();
      keys.moveTo(floor, sought, PageSearch.shared(result));
      return true;
    }
    return path.previousLeaf() && enterLast(0);
  }

  @Override
  public boolean next() {
    if (!valid) {
      return first();
    }
    try {
      stepped = true;
      valid = keys.next() || nextLeaf();
      return valid;
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public boolean previous() {
    if (!valid) {
      return last();
    }
    try {
      stepped = true;
      if (checksLeaf) {
        checkLeaf();
      }
      valid = keys.previous() || previousLeaf();
      return valid;
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** Only on the way up is a leaf checked entry by entry. */
  private void checkLeaf() {
    path.touchLeaf();
    keys.trust();
    checksLeaf = false;
  }

  private boolean nextLeaf() {
    if (checksLeaf) {
      path.passed();
    }
    return path.nextLeaf() && enterFirst();
  }

  private RuntimeException failed(RuntimeException e) {
    // What lies behind damage must not pass for what comes next.
    valid = false;
    return e instanceof IndexOutOfBoundsException outside ? tree.outside(outside) : e;
  }

  private boolean previousLeaf() {
    stepped = false;
    int shared = PackedPage.firstLcp(path.segment(), path.leaf());
    return path.previousLeaf() && enterLast(Math.min(keys.keyLength(), shared));
  }

  private void enter() {
    checksLeaf = false;
    keys.enter(path.segment(), path.leaf());
    enterValues();
  }

  private boolean enterFirst() {
    checksLeaf = path.enterLeaf(keys);
    enterValues();
    return keys.next();
  }

  private void enterValues() {
    hasValues = PackedPage.hasValues(path.segment(), path.leaf());
    values.enter();
  }

  private boolean enterLast(int known) {
    enter();
    keys.moveTo(path.count() - 1, known);
    return true;
  }

  @Override
  public byte[] key() {
    return keys.key();
  }

  @Override
  public int keyLength() {
    return keys.keyLength();
  }

  @Override
  public int shared() {
    return stepped ? keys.lcp() : UNKNOWN;
  }

  @Override
  public boolean isTombstone() {
    return hasValues
        && PackedPage.valueCode(path.segment(), path.leaf(), keys.count(), keys.index())
            == PackedPage.TOMBSTONE;
  }

  @Override
  public void value(EntryValue out) {
    if (!valid) {
      throw new IllegalStateException("the cursor is on no entry");
    }
    values.fill(path.segment(), path.leaf(), keys.count(), keys.index(), out);
  }
}
