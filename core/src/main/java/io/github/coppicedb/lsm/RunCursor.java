package io.github.coppicedb.lsm;

import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.PackedTree;
import io.github.coppicedb.tree.TreeCursor;

/** Walks over the trees of a run as one sorted set; opens a tree only when it comes to it. */
final class RunCursor implements EntryCursor {
  private final Run run;
  private final TreeCursor cursor;
  // The tree that the cursor is in; -1 before the first use.
  private int at = -1;
  private boolean placed;

  RunCursor(Run run) {
    this.run = run;
    this.cursor = new TreeCursor(PackedTree.EMPTY);
  }

  @Override
  public boolean first() {
    return firstFrom(0);
  }

  @Override
  public boolean last() {
    return lastFrom(run.size() - 1);
  }

  @Override
  public boolean seekCeiling(byte[] key, int keyLength) {
    int index = run.indexOf(key, keyLength);
    if (index >= 0) {
      open(index);
      placed = cursor.seekCeiling(key, keyLength);
      if (placed) {
        return true;
      }
    }
    return firstFrom(index + 1);
  }

  @Override
  public boolean seekFloor(byte[] key, int keyLength) {
    int index = run.indexOf(key, keyLength);
    if (index >= 0) {
      open(index);
      placed = cursor.seekFloor(key, keyLength);
      if (placed) {
        return true;
      }
    }
    return lastFrom(index - 1);
  }

  @Override
  public boolean next() {
    return placed ? cursor.next() || firstFrom(at + 1) : first();
  }

  @Override
  public boolean previous() {
    return placed ? cursor.previous() || lastFrom(at - 1) : last();
  }

  @Override
  public byte[] key() {
    return cursor.key();
  }

  @Override
  public int keyLength() {
    return cursor.keyLength();
  }

  @Override
  public int shared() {
    return cursor.shared();
  }

  @Override
  public boolean isTombstone() {
    return cursor.isTombstone();
  }

  @Override
  public void value(EntryValue out) {
    cursor.value(out);
  }

  private boolean firstFrom(int index) {
    placed = false;
    for (int i = index; i < run.size() && !placed; i++) {
      open(i);
      placed = cursor.first();
    }
    return placed;
  }

  private boolean lastFrom(int index) {
    placed = false;
    for (int i = index; i >= 0 && !placed; i--) {
      open(i);
      placed = cursor.last();
    }
    return placed;
  }

  private void open(int index) {
    if (index != at) {
      cursor.open(run.tree(index));
      at = index;
    }
  }
}
