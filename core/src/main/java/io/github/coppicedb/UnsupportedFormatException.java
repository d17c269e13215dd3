package io.github.coppicedb;

/** A file is no file of Coppice, or was written by a newer version than this one can read. */
public final class UnsupportedFormatException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Names the file, the format found and the formats that can be read. */
  public UnsupportedFormatException(String message) {
    super(message);
  }
}
