package io.github.coppicedb.format;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** CRC32C (Castagnoli), the checksum of every page, frame, filter and manifest. */
public final class Checksum {
  private Checksum() {}

  /** Returns the CRC32C of a part of a segment. */
  public static int crc32c(MemorySegment segment, long offset, long length) {
    CRC32C crc = new CRC32C();
    update(crc, segment, offset, length);
    return (int) crc.getValue();
  }

  /** Returns the CRC32C of a part of an array. */
  public static int crc32c(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  /** Adds a part of a segment of any length to a running checksum. */
  public static void update(CRC32C crc, MemorySegment segment, long offset, long length) {
    long done = 0;
    while (done < length) {
      long part = Math.min(length - done, 1 << 30);
      crc.update(segment.asSlice(offset + done, part).asByteBuffer());
      done += part;
    }
  }
}
