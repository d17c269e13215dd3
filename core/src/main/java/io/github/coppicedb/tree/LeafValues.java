package io.github.coppicedb.tree;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.PackedPage;
import java.lang.foreign.MemorySegment;

/**
 * Finds the values of a leaf's entries. Knows which entry held the last one of those that equal the
 * one before, so that a walk does not go back to it from each of them. Confined to one thread.
 */
final class LeafValues {
  /** The entries from the holder up to the one reached have the holder's value. */
  private int holder;

  private int reached;

  /** Goes to a leaf of which nothing is known. */
  void enter() {
    holder = 0;
    reached = -1;
  }

  /** Fills in where the value of entry i of the leaf lies. */
  void fill(MemorySegment s, long page, int n, int i, EntryValue out) {
    if (!PackedPage.hasValues(s, page)) {
      out.set(EntryKind.PUT, s, page, 0);
      return;
    }
    int code = PackedPage.valueCode(s, page, n, i);
    if (code == PackedPage.SAME_VALUE) {
      find(s, page, n, i);
      fillHeld(s, page, n, holder, PackedPage.valueCode(s, page, n, holder), out);
    } else {
      fillHeld(s, page, n, i, code, out);
    }
  }

  private void find(MemorySegment s, long page, int n, int i) {
    if (i < holder || i > reached) {
      int known = i > reached ? reached : 0;
      int found = PackedPage.valueHolder(s, page, n, i, known);
      holder = found > reached || i < holder ? found : holder;
      reached = i;
    }
  }

  /** Fills in where the value of entry i lies, of a leaf of which nothing is known. */
  static void fillOne(MemorySegment s, long page, int n, int i, EntryValue out) {
    if (!PackedPage.hasValues(s, page)) {
      out.set(EntryKind.PUT, s, page, 0);
      return;
    }
    int code = PackedPage.valueCode(s, page, n, i);
    int holder = i;
    if (code == PackedPage.SAME_VALUE) {
      holder = PackedPage.valueHolder(s, page, n, i, 0);
      code = PackedPage.valueCode(s, page, n, holder);
    }
    fillHeld(s, page, n, holder, code, out);
  }

  private static void fillHeld(MemorySegment s, long page, int n, int i, int code, EntryValue out) {
    long at = PackedPage.valueAt(s, page, n, i);
    out.set(
        PackedPage.kind(code),
        s,
        at + PackedPage.valueHead(code),
        PackedPage.valueLength(s, code, at));
  }
}
