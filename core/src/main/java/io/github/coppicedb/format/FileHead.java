package io.github.coppicedb.format;

import java.lang.foreign.MemorySegment;

/**
 * The first 64 bytes of a log and of the manifest. The fields here stand at the same place in every
 * version of the format, so that any version can tell damage from a newer version:
 *
 * <pre>
 *   0  u64  magic, says what kind of file this is
 *   8  u32  format version of this kind of file
 *  12  u32  zero
 *  16  u64  database id
 *  24  36 bytes, by kind of file and version
 *  60  u32  CRC32C of bytes 0 to 59
 * </pre>
 *
 * Stateless. Numbers are little-endian.
 */
public final class FileHead {
  /** Where the magic stands. */
  public static final int MAGIC = 0;

  /** Where the format version stands. */
  public static final int VERSION = MAGIC + Long.BYTES;

  /** Where four bytes of zero stand. */
  public static final int ZERO = VERSION + Integer.BYTES;

  /** Where the database id stands. */
  public static final int DATABASE_ID = ZERO + Integer.BYTES;

  /** Where the fields of the kind of file begin. */
  public static final int OWN_FIELDS = DATABASE_ID + Long.BYTES;

  /** Bytes that the fields of the kind of file may take. */
  public static final int OWN_FIELDS_BYTES = 36;

  /** Where the checksum stands. */
  public static final int CRC = OWN_FIELDS + OWN_FIELDS_BYTES;

  /** Bytes of a head. */
  public static final int BYTES = CRC + Integer.BYTES;

  private FileHead() {}

  /** Writes the fields that all heads have, apart from the checksum. */
  public static void init(MemorySegment head, long magic, int version, long databaseId) {
    Bytes.put64(head, MAGIC, magic);
    Bytes.put32(head, VERSION, version);
    Bytes.put32(head, ZERO, 0);
    Bytes.put64(head, DATABASE_ID, databaseId);
  }

  /** Writes the checksum, after everything else. */
  public static void seal(MemorySegment head) {
    Bytes.put32(head, CRC, Checksum.crc32c(head, 0, CRC));
  }

  /** Returns whether the segment begins with a head whose checksum is right. */
  public static boolean isIntact(MemorySegment file) {
    return file.byteSize() >= BYTES && storedCrc(file) == Checksum.crc32c(file, 0, CRC);
  }

  /** Reads the checksum. */
  public static int storedCrc(MemorySegment head) {
    return Bytes.i32(head, CRC);
  }

  /** Reads the magic. */
  public static long magic(MemorySegment head) {
    return Bytes.i64(head, MAGIC);
  }

  /** Reads the format version. */
  public static long version(MemorySegment head) {
    return Bytes.u32(head, VERSION);
  }

  /** Reads the database id. */
  public static long databaseId(MemorySegment head) {
    return Bytes.i64(head, DATABASE_ID);
  }
}
