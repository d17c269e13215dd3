package io.github.coppicedb.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** A write transaction of the model: its changes over the version that it began with. */
public final class ModelTransaction {
  private final int beganAt;
  private final ModelState base;
  private final List<Change> changes = new ArrayList<>();
  private final Map<Integer, NavigableMap<byte[], byte[]>> touched = new HashMap<>();

  ModelTransaction(int beganAt, ModelState base) {
    this.beganAt = beganAt;
    this.base = base;
  }

  /** Returns the number of the version that the transaction began with. */
  int beganAt() {
    return beganAt;
  }

  /** Returns the state that the transaction began with. */
  public ModelState base() {
    return base;
  }

  /** Returns the changes so far, in order. */
  public List<Change> changes() {
    return changes;
  }

  /** Returns a table as the transaction sees it now. Not for changes. */
  public NavigableMap<byte[], byte[]> content(int table) {
    NavigableMap<byte[], byte[]> own = touched.get(table);
    return own == null ? base.content(table) : own;
  }

  /** Makes a change. */
  public void add(Change change) {
    changes.add(change);
    apply(change);
  }

  /** Returns a mark for {@link #rollbackTo}. */
  public int savepoint() {
    return changes.size();
  }

  /** Takes back the changes after a mark. */
  public void rollbackTo(int mark) {
    changes.subList(mark, changes.size()).clear();
    touched.clear();
    changes.forEach(this::apply);
  }

  private void apply(Change change) {
    change.applyTo(touched.computeIfAbsent(change.table(), t -> ModelState.copy(base.content(t))));
  }
}
