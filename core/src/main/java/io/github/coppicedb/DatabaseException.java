package io.github.coppicedb;

import org.jspecify.annotations.Nullable;

/**
 * Root of everything that a database can report. Bad arguments are {@link IllegalArgumentException}
 * or {@link NullPointerException} instead; they are found before anything has changed.
 */
public abstract sealed class DatabaseException extends RuntimeException
    permits ClosedException,
        ConflictException,
        CorruptionException,
        LockedException,
        StorageFailureException,
        UnsupportedFormatException {
  private static final long serialVersionUID = 1L;

  DatabaseException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  DatabaseException(String message) {
    super(message);
  }
}
