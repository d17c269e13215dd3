package io.github.coppicedb.tree;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.page.PageChecker;
import java.lang.foreign.MemorySegment;

/**
 * One page at a time as a part of an array, for walks that read all of it: of a tree in heap the
 * array that it lies in, of a file a copy, whose checksum is computed each time. So the loops over
 * entries are the same for both, and what a file turns into afterwards does no harm. Confined to
 * one thread.
 */
final class PageView {
  /** No page is as large as this: offsets and lengths in it add up as int. */
  private static final int TOO_LARGE = 1 << 30;

  /** A buffer that a page of a usual size does not need is given up. */
  private static final int USUAL = 1 << 16;

  private byte[] buffer = new byte[0];
  private MemorySegment bufferSegment = MemorySegment.ofArray(buffer);

  private byte[] array = buffer;
  private MemorySegment segment = bufferSegment;
  private int page;
  private int count;

  /**
   * Goes to a page.
   *
   * @throws CorruptionException if it is not whole, or not of the expected level
   */
  void read(PageSpace space, long address, int level) {
    if (space.isFile()) {
      copy(space, address);
    } else {
      array = space.array(address);
      segment = space.segment(address);
      page = (int) space.offset(address);
    }
    count = PackedPage.count(segment, page);
    int found = PackedPage.level(segment, page);
    if (found != level) {
      throw space.wrongLevel(address, level, found);
    }
  }

  private void copy(PageSpace space, long address) {
    MemorySegment file = space.segment(address);
    long at = space.offset(address);
    long size = PageChecker.checkSize(file, at, space.name(), address);
    if (size >= TOO_LARGE) {
      throw space.damage(address, "a page below 1 GiB", size + " bytes");
    }
    if (size > buffer.length || (buffer.length > USUAL && size <= USUAL)) {
      buffer = new byte[size > USUAL ? (int) size : Math.clamp(2 * size, 0, USUAL)];
      bufferSegment = MemorySegment.ofArray(buffer);
    }
    array = buffer;
    segment = bufferSegment;
    page = 0;
    Bytes.copy(file, at, buffer, 0, (int) size);
    PageChecker.checkBytes(segment, 0, space.name(), address);
    PageChecker.checkHeader(segment, 0, space.name(), address);
  }

  /** Returns the array that the page lies in. */
  byte[] array() {
    return array;
  }

  /** Returns the array as a segment. */
  MemorySegment segment() {
    return segment;
  }

  /** Returns where the page begins. */
  int page() {
    return page;
  }

  /** Returns the number of entries. */
  int count() {
    return count;
  }

  /** Returns the child of an entry of an inner page, an address in the tree. */
  long child(int i) {
    return PackedPage.child(segment, page, count, i);
  }
}
