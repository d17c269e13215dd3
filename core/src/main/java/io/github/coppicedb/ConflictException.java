package io.github.coppicedb;

/**
 * A write transaction could not commit, since another one that committed after its snapshot wrote
 * the same key (the first committer wins). Nothing of the transaction has happened; run it again:
 * the helper that retries does so by itself.
 */
public final class ConflictException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Says on what the transactions met. */
  public ConflictException(String message) {
    super(message);
  }
}
