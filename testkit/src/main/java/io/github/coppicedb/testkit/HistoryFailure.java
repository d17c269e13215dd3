package io.github.coppicedb.testkit;

import org.jspecify.annotations.Nullable;

/** The database did not answer as the model does. */
public final class HistoryFailure extends AssertionError {
  private static final long serialVersionUID = 1L;

  /** Says what differed. */
  public HistoryFailure(String message) {
    super(message);
  }

  HistoryFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
