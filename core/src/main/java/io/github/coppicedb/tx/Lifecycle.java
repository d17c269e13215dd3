package io.github.coppicedb.tx;

import io.github.coppicedb.ClosedException;

/** Whether a database is open, for all that was opened on it. Thread-safe. */
public final class Lifecycle {
  private final String location;
  private volatile boolean closed;

  /** Makes the state of a database that is open. */
  public Lifecycle(String location) {
    this.location = location;
  }

  /** Ends it; returns whether it was open. */
  public synchronized boolean close() {
    boolean wasOpen = !closed;
    closed = true;
    return wasOpen;
  }

  /** Returns whether the database was closed. */
  public boolean isClosed() {
    return closed;
  }

  /** Throws {@link ClosedException} if the database was closed. */
  public void ensureOpen() {
    if (closed) {
      throw closedException();
    }
  }

  /** Returns what to throw after the close. */
  public ClosedException closedException() {
    return new ClosedException("the database in " + location + " was closed");
  }
}
