package io.github.coppicedb.format;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.UnsupportedFormatException;
import java.lang.foreign.MemorySegment;

/** Checks the head of a file: whole, of the right kind, of a version that can be read. */
public final class HeadCheck {
  private HeadCheck() {}

  /**
   * Checks the head of a file.
   *
   * @throws CorruptionException if it is cut or damaged
   * @throws UnsupportedFormatException if it is whole, but of another kind or a newer version
   */
  public static void check(String name, MemorySegment file, long magic, int newestVersion) {
    if (file.byteSize() < FileHead.BYTES) {
      throw new CorruptionException(
          name, 0, "a head of " + FileHead.BYTES + " bytes", file.byteSize() + " bytes");
    }
    if (!FileHead.isIntact(file)) {
      String expected = "checksum of the head %08x".formatted(headCrc(file));
      String found = "%08x".formatted(FileHead.storedCrc(file));
      throw new CorruptionException(name, 0, expected, found);
    }
    if (FileHead.magic(file) != magic) {
      throw new UnsupportedFormatException(
          "%s begins with %016x, not %016x: it is another kind of file"
              .formatted(name, FileHead.magic(file), magic));
    }
    checkVersion(name, FileHead.version(file), newestVersion);
  }

  private static int headCrc(MemorySegment file) {
    return Checksum.crc32c(file, 0, FileHead.CRC);
  }

  private static void checkVersion(String name, long version, int newest) {
    if (version < 1 || version > newest) {
      throw new UnsupportedFormatException(
          "%s has format %d and this version reads formats 1 to %d: open it with a version that"
                  .formatted(name, version, newest)
              + " reads format "
              + version);
    }
  }
}
