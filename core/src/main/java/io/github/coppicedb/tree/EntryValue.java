package io.github.coppicedb.tree;

import io.github.coppicedb.format.EntryKind;
import java.lang.foreign.MemorySegment;

/**
 * Where the value of an entry lies: filled by a search or a cursor, then read by its caller.
 * Mutable and reused, so that a get allocates nothing on its way; confined to one thread.
 */
public final class EntryValue {
  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

  private byte kind = EntryKind.TOMBSTONE;
  private MemorySegment segment = NOTHING;
  private long offset;
  private long length;

  /** Sets all fields. For a tombstone the length is zero. */
  public void set(byte newKind, MemorySegment newSegment, long newOffset, long newLength) {
    kind = newKind;
    segment = newSegment;
    offset = newOffset;
    length = newLength;
  }

  /** Makes this a tombstone. */
  public void setTombstone() {
    set(EntryKind.TOMBSTONE, NOTHING, 0, 0);
  }

  /** Returns the kind, one of {@link EntryKind}. */
  public byte kind() {
    return kind;
  }

  /** Returns whether the entry says that its key is deleted. */
  public boolean isTombstone() {
    return kind == EntryKind.TOMBSTONE;
  }

  /** Returns the segment that holds the bytes. */
  public MemorySegment segment() {
    return segment;
  }

  /** Returns the first byte inside the segment. */
  public long offset() {
    return offset;
  }

  /** Returns the number of bytes. */
  public long length() {
    return length;
  }

  /** Returns a slice of the bytes, not a copy. */
  public MemorySegment slice() {
    return segment.asSlice(offset, length);
  }

  /** Returns a copy of the bytes. */
  public byte[] copy() {
    byte[] copy = new byte[Math.toIntExact(length)];
    MemorySegment.copy(segment, offset, MemorySegment.ofArray(copy), 0, copy.length);
    return copy;
  }
}
