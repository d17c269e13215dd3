package io.github.coppicedb.lsm;

import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;

/** Walks over the trees of a run as one sorted set; opens a tree only when it comes to it. */
final class RunCursor implements EntryCursor {
  private final Run run;
  private final EntryCursor[] cursors;
  // The tree that the cursor stands in; any value while it stands nowhere.
  private int at;
  private boolean placed;

  RunCursor(Run run) {
    this.run = run;
    this.cursors = new EntryCursor[run.size()];
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
    int index = Math.max(0, run.indexOf(key, keyLength));
    if (index < run.size() && cursor(index).seekCeiling(key, keyLength)) {
      return stand(index);
    }
    return firstFrom(index + 1);
  }

  @Override
  public boolean seekFloor(byte[] key, int keyLength) {
    int index = run.indexOf(key, keyLength);
    if (index >= 0 && cursor(index).seekFloor(key, keyLength)) {
      return stand(index);
    }
    return lastFrom(index - 1);
  }

  @Override
  public boolean next() {
    if (!placed) {
      return first();
    }
    return cursor(at).next() || firstFrom(at + 1);
  }

  @Override
  public boolean previous() {
    if (!placed) {
      return last();
    }
    return cursor(at).previous() || lastFrom(at - 1);
  }

  @Override
  public byte[] key() {
    return cursor(at).key();
  }

  @Override
  public int keyLength() {
    return cursor(at).keyLength();
  }

  @Override
  public void value(EntryValue out) {
    cursor(at).value(out);
  }

  private boolean firstFrom(int index) {
    for (int i = index; i < run.size(); i++) {
      if (cursor(i).first()) {
        return stand(i);
      }
    }
    placed = false;
    return false;
  }

  private boolean lastFrom(int index) {
    for (int i = index; i >= 0; i--) {
      if (cursor(i).last()) {
        return stand(i);
      }
    }
    placed = false;
    return false;
  }

  private boolean stand(int index) {
    at = index;
    placed = true;
    return true;
  }

  private EntryCursor cursor(int index) {
    EntryCursor cursor = cursors[index];
    if (cursor == null) {
      cursor = run.tree(index).cursor();
      cursors[index] = cursor;
    }
    return cursor;
  }
}
