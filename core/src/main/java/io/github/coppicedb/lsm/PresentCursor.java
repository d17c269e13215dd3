package io.github.coppicedb.lsm;

import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;

/** Walks over the keys that are present in a single layer: its tombstones are passed over. */
final class PresentCursor implements EntryCursor {
  private static final int NOTHING = Integer.MAX_VALUE;

  private final EntryCursor entries;
  // The least that the tombstones that the last move passed over shared.
  private int skipped = NOTHING;

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
    skipped = NOTHING;
    boolean on = moved;
    while (on && entries.isTombstone()) {
      skipped = Math.min(skipped, entries.shared());
      on = entries.next();
    }
    return on;
  }

  private boolean down(boolean moved) {
    skipped = NOTHING;
    boolean on = moved;
    while (on && entries.isTombstone()) {
      skipped = Math.min(skipped, entries.shared());
      on = entries.previous();
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
    return Math.min(skipped, entries.shared());
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
