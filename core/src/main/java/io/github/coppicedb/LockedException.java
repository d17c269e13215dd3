package io.github.coppicedb;

/** The database directory is open already, in this process or in another one. */
public final class LockedException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Says which directory is locked and by whom, as far as is known. */
  public LockedException(String message) {
    super(message);
  }
}
