package io.github.coppicedb.tree;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Where one tree is written to, page by page: heap or a file. Confined to one thread. */
public interface TreeOutput {
  /** Copies a page to the end, at the next multiple of 64, and returns its address. */
  long append(MemorySegment page);

  /** Makes the tree of all pages. Called once, after the last page. */
  PackedTree finish(TreeSummary summary, @Nullable BlockedBloomFilter filter);

  /** Drops all that was made, also after {@link #finish}: the tree must not be in use then. */
  void abort();
}
