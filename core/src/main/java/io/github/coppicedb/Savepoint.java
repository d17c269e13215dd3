package io.github.coppicedb;

import io.github.coppicedb.tx.Transaction;

/** A moment inside a write transaction that {@link WriteTransaction#rollbackTo} goes back to. */
public final class Savepoint {
  private final Transaction.Mark mark;

  Savepoint(Transaction.Mark mark) {
    this.mark = mark;
  }

  Transaction.Mark mark() {
    return mark;
  }
}
