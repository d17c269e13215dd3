package io.github.coppicedb.storage;

import io.github.coppicedb.StorageFailureException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Turns failures of the operating system into {@link StorageFailureException}. */
final class Failures {
  private static final long NEXT_TO_NOTHING = 64 << 10;

  private Failures() {}

  /**
   * Describes a failure.
   *
   * @param action what was tried, as in "cannot ... the file"
   * @param path on what
   */
  static StorageFailureException of(String action, Path path, IOException cause) {
    boolean full = saysDiskFull(cause) || (isWrite(action) && hasNoSpace(path));
    String reason = full ? "no space is left on the device" : reason(cause);
    return new StorageFailureException(
        "cannot %s %s: %s".formatted(action, path, reason), cause, full);
  }

  private static boolean isWrite(String action) {
    return action.equals("write") || action.equals("force");
  }

  /** The messages are those of the C library and of Windows, which have no code in Java. */
  static boolean saysDiskFull(IOException cause) {
    String message = cause.getMessage();
    return message != null
        && (message.contains("No space left")
            || message.contains("quota exceeded")
            || message.contains("not enough space"));
  }

  /** A second opinion, since messages are translated and a failed force gives no reason at all. */
  private static boolean hasNoSpace(Path path) {
    try {
      return Files.getFileStore(path).getUsableSpace() < NEXT_TO_NOTHING;
    } catch (IOException e) {
      return false;
    }
  }

  private static String reason(IOException cause) {
    String message = cause.getMessage();
    return switch (cause) {
      case NoSuchFileException e -> "it does not exist";
      case FileAlreadyExistsException e -> "it exists already";
      case AccessDeniedException e -> "permission denied";
      default -> message == null ? cause.getClass().getSimpleName() : message;
    };
  }
}
