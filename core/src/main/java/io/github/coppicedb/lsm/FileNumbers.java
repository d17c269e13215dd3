package io.github.coppicedb.lsm;

import java.util.concurrent.atomic.AtomicLong;

/** Gives every file of a database a number that no file had before. Thread-safe. */
public final class FileNumbers {
  private final AtomicLong next;

  /** Begins behind the greatest number in use. */
  public FileNumbers(long next) {
    this.next = new AtomicLong(next);
  }

  /** Returns a new number. */
  public long next() {
    return next.getAndIncrement();
  }

  /** Returns a number that is greater than all given out. */
  public long peek() {
    return next.get();
  }
}
