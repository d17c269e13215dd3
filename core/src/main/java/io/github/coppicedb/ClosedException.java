package io.github.coppicedb;

/** A database, snapshot, transaction or cursor was used after it was closed or had ended. */
public final class ClosedException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Says what was used after its end. */
  public ClosedException(String message) {
    super(message);
  }
}
