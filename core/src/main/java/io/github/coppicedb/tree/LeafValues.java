package io.github.coppicedb.tree;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.PackedPage;
import java.lang.foreign.MemorySegment;

/** Finds the value of an entry of a leaf. Stateless. */
final class LeafValues {
  private LeafValues() {}

  /** Fills in where the value of entry i lies. */
  static void fill(MemorySegment s, long page, int n, int i, EntryValue out) {
    if (!PackedPage.hasValues(s, page)) {
      out.set(EntryKind.PUT, s, page, 0);
      return;
    }
    int code = PackedPage.valueCode(s, page, n, i);
    long at = PackedPage.valueAt(s, page, n, i);
    out.set(
        PackedPage.kind(code),
        s,
        at + PackedPage.valueHead(code),
        PackedPage.valueLength(s, code, at));
  }
}
