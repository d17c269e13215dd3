package io.github.coppicedb.lsm;

import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;

/** Walks over the keys that are present in a single layer: its tombstones are passed over. */
final class PresentCursor implements EntryCursor {
  private final EntryCursor entries;
  private int shared = UNKNOWN;

  PresentCursor(EntryCursor entries) {
    this.entries = entries;
  }

  @Override
  public boolean first() {
    return up(entries.first());
  }

  @Override
  public boolean last() {
    return down(entries.last());
  }

  @Override
  public boolean seekCeiling(byte[] key, int keyLength) {
    return up(entries.seekCeiling(key, keyLength));
  }

  @Override
  public boolean seekFloor(byte[] key, int keyLength) {
    return down(entries.seekFloor(key, keyLength));
  }

  @Override
  public boolean next() {
    return up(entries.next());
  }

  @Override
  public boolean previous() {
    return down(entries.previous());
  }

  private boolean up(boolean moved) {
    boolean on = moved;
    shared = entries.shared();
    while (on && entries.isTombstone()) {
      on = entries.next();
      shared = Math.min(shared, entries.shared());
    }
    return on;
  }

  private boolean down(boolean moved) {
    boolean on = moved;
    shared = entries.shared();
    while (on && entries.isTombstone()) {
      on = entries.previous();
      shared = Math.min(shared, entries.shared());
    }
    return on;
  }

  @Override
  public byte[] key() {
    return entries.key();
  }

  @Override
  public int keyLength() {
    return entries.keyLength();
  }

  @Override
  public int shared() {
    return shared;
  }

  @Override
  public boolean isTombstone() {
    return false;
  }

  @Override
  public void value(EntryValue out) {
    entries.value(out);
  }
}
