package io.github.coppicedb;

/**
 * A write transaction could not commit, since another one that committed after its snapshot wrote
 * the same key (the first committer wins). Nothing of the transaction has happened; run it again:
 * the helper that retries does so by itself.
 *
 * <p>Also thrown when it cannot be known any more whether another one did: which keys were changed
 * since the oldest open transaction began is remembered in at most half of {@link
 * DatabaseOptions#memoryBudget}. A key takes its length and about 45 bytes, once for each stretch
 * of commits that changed it; a stretch, which ends when a top is full and at each drain, takes 200
 * bytes; values take nothing, and neither do the keys of transactions that are large enough to be
 * in files. The latest commit is always remembered.
 */
public final class ConflictException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Says on what the transactions met. */
  public ConflictException(String message) {
    super(message);
  }
}
