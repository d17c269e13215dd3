package io.github.coppicedb;

/**
 * Bytes read back are not the bytes that were written. Names the file, the place in it, what was
 * expected and what was found; nothing that was read from the damaged place has been returned.
 */
public final class CorruptionException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;

  /**
   * Reports damage.
   *
   * @param file name of the file inside the database directory
   * @param offset first byte of the damaged page, frame or field
   * @param expected what should have stood there
   * @param found what stands there
   */
  public CorruptionException(String file, long offset, String expected, String found) {
    super(
        "damaged file %s at byte %d: expected %s, found %s"
            .formatted(file, offset, expected, found));
    this.file = file;
    this.offset = offset;
  }

  /** Returns the name of the damaged file inside the database directory. */
  public String file() {
    return file;
  }

  /** Returns the first byte of the damaged page, frame or field. */
  public long offset() {
    return offset;
  }
}
