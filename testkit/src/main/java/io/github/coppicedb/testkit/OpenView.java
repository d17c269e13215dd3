package io.github.coppicedb.testkit;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.ReadView;
import io.github.coppicedb.Savepoint;
import io.github.coppicedb.WriteTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** A snapshot or write transaction of the database, beside the model of it. */
final class OpenView implements AutoCloseable {
  /** A savepoint, beside the model of it. */
  record Mark(Savepoint actual, int model) {}

  /** A cursor, beside the model of it. */
  record OpenCursor(Cursor actual, ModelCursor model, int table) {}

  private final ReadView actual;
  private final ModelState base;
  private final @Nullable ModelTransaction transaction;
  private final List<Mark> marks = new ArrayList<>();
  private final Map<String, OpenCursor> cursors = new HashMap<>();

  OpenView(ReadView actual, ModelState base, @Nullable ModelTransaction transaction) {
    this.actual = actual;
    this.base = base;
    this.transaction = transaction;
  }

  ReadView actual() {
    return actual;
  }

  /** Returns the state that the view began with. */
  ModelState base() {
    return base;
  }

  boolean isTransaction() {
    return transaction != null;
  }

  WriteTransaction writer() {
    return (WriteTransaction) actual;
  }

  ModelTransaction model() {
    if (transaction == null) {
      throw new IllegalStateException("a snapshot has no changes");
    }
    return transaction;
  }

  NavigableMap<byte[], byte[]> content(int table) {
    return transaction == null ? base.content(table) : transaction.content(table);
  }

  void savepoint() {
    marks.add(new Mark(writer().savepoint(), model().savepoint()));
  }

  /** Rolls back to one of the savepoints, which stays; later ones go. */
  void rollbackTo(int index) {
    if (index < marks.size()) {
      Mark mark = marks.get(index);
      writer().rollbackTo(mark.actual);
      model().rollbackTo(mark.model);
      marks.subList(index + 1, marks.size()).clear();
    }
  }

  void addCursor(String name, OpenCursor cursor) {
    OpenCursor former = cursors.put(name, cursor);
    if (former != null) {
      former.actual.close();
    }
  }

  @Nullable OpenCursor cursor(String name) {
    return cursors.get(name);
  }

  void closeCursor(String name) {
    OpenCursor cursor = cursors.remove(name);
    if (cursor != null) {
      cursor.actual.close();
    }
  }

  @Override
  public void close() {
    cursors.values().forEach(cursor -> cursor.actual.close());
    cursors.clear();
    actual.close();
  }
}
