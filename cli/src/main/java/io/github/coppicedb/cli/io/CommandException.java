package io.github.coppicedb.cli.io;

import org.jspecify.annotations.Nullable;

/** Ends a command with one line for the user and an exit status. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  private CommandException(int status, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** The answer is no. */
  public static CommandException negative(String message) {
    return new CommandException(ExitStatus.NEGATIVE, message, null);
  }

  /** The user asked for something that makes no sense. */
  public static CommandException usage(String message) {
    return new CommandException(ExitStatus.USAGE, message, null);
  }

  /** Something went wrong. */
  public static CommandException failure(String message) {
    return new CommandException(ExitStatus.FAILURE, message, null);
  }

  /** Something went wrong, for a reason that the debug option shows. */
  public static CommandException failure(String message, Throwable cause) {
    return new CommandException(ExitStatus.FAILURE, message, cause);
  }

  /** Returns the exit status of the process. */
  public int status() {
    return status;
  }
}
