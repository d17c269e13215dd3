package io.github.coppicedb.tree;

import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.CodedValue;
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
    long held = PackedPage.valueAt(s, page, n, i);
    long at = held + PackedPage.valueHead(code);
    long length = PackedPage.valueLength(s, code, held);
    int flags = PackedPage.flags(s, page);
    if (PackedPage.isCoded(flags, i, code)) {
      decode(s, page, n, flags, at, length, out);
    } else {
      out.set(PackedPage.kind(code), s, at, length);
    }
  }

  /** Puts a value together, in an array of its own: a caller may keep it as long as the page. */
  private static void decode(
      MemorySegment s, long page, int n, int flags, long at, long coded, EntryValue out) {
    int base = PackedPage.baseLength(s, page, n, flags);
    byte[] window = new byte[base + CodedValue.length(s, at, coded)];
    if (base > 0) {
      Bytes.copy(s, PackedPage.baseAt(s, page, n), window, 0, base);
    }
    int length = CodedValue.decode(s, at, coded, window, base);
    out.set(EntryKind.PUT, MemorySegment.ofArray(window), base, length);
  }
}
