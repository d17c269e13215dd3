package io.github.coppicedb.tree;

import io.github.coppicedb.format.PackedPage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the pages of a tree in heap, in chunks of 256 KiB, which a collector need not treat as
 * humongous. A larger page has a chunk of its own, and the address space skips what it exceeds.
 */
public final class HeapTreeOutput implements TreeOutput {
  private static final int SHIFT = 18;
  private static final int CHUNK = 1 << SHIFT;
  private static final MemorySegment SKIPPED = MemorySegment.ofArray(new byte[0]);

  private final List<MemorySegment> chunks = new ArrayList<>();
  private MemorySegment current = SKIPPED;
  private int used;
  private long bytes;

  /** Makes an output without pages. */
  public HeapTreeOutput() {}

  @Override
  public long append(MemorySegment page) {
    if (page.byteSize() > CHUNK) {
      return appendOversize(page);
    }
    int size = (int) page.byteSize();
    int start = (int) PackedPage.align(used);
    if (start + size > CHUNK) {
      closeCurrent();
      start = 0;
    }
    ensure(start + size);
    MemorySegment.copy(page, 0, current, start, size);
    used = start + size;
    return ((long) chunks.size() << SHIFT) + start;
  }

  private long appendOversize(MemorySegment page) {
    closeCurrent();
    long address = (long) chunks.size() << SHIFT;
    addChunk(page, page.byteSize());
    for (long end = CHUNK; end < page.byteSize(); end += CHUNK) {
      chunks.add(SKIPPED);
    }
    return address;
  }

  private void ensure(int needed) {
    if (needed > current.byteSize()) {
      int capacity = Math.min(CHUNK, Math.max(needed, 2 * (int) current.byteSize()));
      MemorySegment larger = MemorySegment.ofArray(new byte[capacity]);
      MemorySegment.copy(current, 0, larger, 0, used);
      current = larger;
    }
  }

  private void closeCurrent() {
    if (used > 0) {
      if (used == current.byteSize()) {
        chunks.add(current);
        bytes += used;
      } else {
        addChunk(current, used);
      }
      current = SKIPPED;
      used = 0;
    }
  }

  private void addChunk(MemorySegment source, long size) {
    MemorySegment chunk = MemorySegment.ofArray(new byte[Math.toIntExact(size)]);
    MemorySegment.copy(source, 0, chunk, 0, size);
    chunks.add(chunk);
    bytes += size;
  }

  @Override
  public PackedTree finish(TreeSummary summary, @Nullable BlockedBloomFilter filter) {
    closeCurrent();
    PageSpace space = PageSpace.inHeap(chunks.toArray(MemorySegment[]::new), SHIFT);
    long filterBytes = filter == null ? 0 : filter.bytes();
    return new PackedTree(space, summary, filter, bytes + filterBytes, 0, null);
  }

  @Override
  public void abort() {
    chunks.clear();
    current = SKIPPED;
    used = 0;
  }
}
