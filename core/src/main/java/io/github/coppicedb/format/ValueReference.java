package io.github.coppicedb.format;

import java.lang.foreign.MemorySegment;

/**
 * What the entry of a large value holds instead of the value: where it lies, and its checksum.
 *
 * <pre>
 *   0  u64 id of the value's file
 *   8  u64 length of the value in bytes
 *  16  u32 crc32c of the value
 *  20  u32 0
 * </pre>
 *
 * Stateless accessors over little-endian bytes, for any thread.
 */
public final class ValueReference {
  /** Place: id of the value's file. */
  public static final int FILE_ID = 0;

  /** Place: length of the value. */
  public static final int LENGTH = FILE_ID + Long.BYTES;

  /** Place: checksum of the value. */
  public static final int CRC = LENGTH + Long.BYTES;

  /** Place: zero. */
  public static final int ZERO = CRC + Integer.BYTES;

  /** Size of a reference in bytes. */
  public static final int BYTES = ZERO + Integer.BYTES;

  private ValueReference() {}

  /** Returns the id of the file that holds the value. */
  public static long fileId(MemorySegment segment, long at) {
    return Bytes.i64(segment, at + FILE_ID);
  }

  /** Returns the length of the value in bytes. */
  public static long length(MemorySegment segment, long at) {
    return Bytes.i64(segment, at + LENGTH);
  }

  /** Returns the CRC32C of the value. */
  public static int crc(MemorySegment segment, long at) {
    return Bytes.i32(segment, at + CRC);
  }

  /** Writes a reference. */
  public static void write(MemorySegment segment, long at, long fileId, long length, int crc) {
    Bytes.put64(segment, at + FILE_ID, fileId);
    Bytes.put64(segment, at + LENGTH, length);
    Bytes.put32(segment, at + CRC, crc);
    Bytes.put32(segment, at + ZERO, 0);
  }
}
