package io.github.coppicedb;

import org.jspecify.annotations.Nullable;

/**
 * The operating system refused to read, write or force a file: the disk is full, the directory is
 * missing, a permission is lacking, the device failed. The message names the file and the reason.
 * Reads of what is there go on.
 */
public final class StorageFailureException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  private final boolean diskFull;

  /** Reports a failure that is not a lack of space. */
  public StorageFailureException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  /** Reports a failure; {@code diskFull} when no space was left on the device. */
  public StorageFailureException(String message, @Nullable Throwable cause, boolean diskFull) {
    super(message, cause);
    this.diskFull = diskFull;
  }

  /** Returns whether no space was left on the device. */
  public boolean isDiskFull() {
    return diskFull;
  }
}
