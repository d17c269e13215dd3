package io.github.coppicedb.tree;

import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.PackedPage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the pages of a tree in heap, in chunks of 256 KiB, which a collector need not treat as
 * humongous. A larger page has a chunk of its own, and the address space skips what it exceeds.
 */
public final class HeapTreeOutput implements TreeOutput {
  private static final int SHIFT = 18;
  private static final int CHUNK = 1 << SHIFT;

  /** A chunk may waste this part of its bytes. */
  private static final int WASTED_PART = 32;

  private static final int GROWTH = 4;

  private static final byte[] SKIPPED = new byte[0];

  private final List<byte[]> chunks = new ArrayList<>();
  private byte[] current = SKIPPED;
  private int used;
  private long bytes;

  /** Makes an output without pages. */
  public HeapTreeOutput() {}

  @Override
  public long append(MemorySegment page) {
    int size = Math.toIntExact(page.byteSize());
    if (size > CHUNK) {
      return appendOversize(page, size);
    }
    int start = (int) PackedPage.align(used);
    if (start + size > CHUNK) {
      closeCurrent();
      start = 0;
    }
    ensure(start + size);
    Bytes.copy(page, 0, current, start, size);
    used = start + size;
    return ((long) chunks.size() << SHIFT) + start;
  }

  private long appendOversize(MemorySegment page, int size) {
    closeCurrent();
    long address = (long) chunks.size() << SHIFT;
    byte[] chunk = new byte[size];
    Bytes.copy(page, 0, chunk, 0, size);
    addChunk(chunk);
    for (long end = CHUNK; end < size; end += CHUNK) {
      chunks.add(SKIPPED);
    }
    return address;
  }

  private void ensure(int needed) {
    if (needed > current.length) {
      // The first chunk grows as small trees need it; who fills one fills another.
      int wished = chunks.isEmpty() ? Math.max(needed, GROWTH * current.length) : CHUNK;
      current = Arrays.copyOf(current, Math.min(CHUNK, wished));
    }
  }

  private void closeCurrent() {
    if (used > 0) {
      // A little room at the end is not worth a copy.
      boolean isFull = current.length - used <= current.length / WASTED_PART;
      addChunk(isFull ? current : Arrays.copyOf(current, used));
      current = SKIPPED;
      used = 0;
    }
  }

  private void addChunk(byte[] chunk) {
    chunks.add(chunk);
    bytes += chunk.length;
  }

  @Override
  public PackedTree finish(TreeSummary summary, @Nullable BlockedBloomFilter filter) {
    closeCurrent();
    PageSpace space = PageSpace.inHeap(chunks.toArray(byte[][]::new), SHIFT);
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
