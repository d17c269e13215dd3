package io.github.coppicedb;

import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tx.KeySpace;
import io.github.coppicedb.tx.RangeCursor;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the keys of a range, in the range's order: in a reversed range the first key is the
 * greatest and {@link #next} goes down.
 *
 * <p>The position is a key. {@link #next} is the nearest key behind it, in the snapshot, or in the
 * transaction as it is at that moment: keys may be put and deleted while a cursor is open, also the
 * key it stands on. A new cursor stands nowhere: {@link #next} goes to the first key and {@link
 * #previous} to the last. Having run off the end, {@link #previous} goes to the last key; having
 * run off the begin, {@link #next} goes to the first.
 *
 * <p>One thread at a time. Usable until its view is closed.
 */
public final class Cursor implements AutoCloseable {
  private final Reader reader;
  private final KeySpace keys;
  private final RangeCursor cursor;
  private final boolean reversed;
  private final @Nullable Consumer<byte[]> deletion;
  private final EntryValue value = new EntryValue();
  private boolean closed;

  Cursor(Reader reader, Table table, KeyRange range, @Nullable Consumer<byte[]> deletion) {
    this.reader = reader;
    this.keys = reader.keys(table);
    this.cursor = reader.cursor(table, range);
    this.reversed = range.isReversed();
    this.deletion = deletion;
  }

  /** Goes to the first key of the range; false when there is none. */
  public boolean first() {
    ensureOpen();
    return reversed ? cursor.last() : cursor.first();
  }

  /** Goes to the last key of the range; false when there is none. */
  public boolean last() {
    ensureOpen();
    return reversed ? cursor.first() : cursor.last();
  }

  /**
   * Goes to the given key or else to the nearest one behind it in the range's order: the least key
   * that is not less, in a reversed range the greatest that is not greater.
   */
  public boolean seek(byte[] key) {
    return seek(key, reversed);
  }

  /**
   * Goes to the given key or else to the nearest one before it in the range's order: the greatest
   * key that is not greater, in a reversed range the least that is not less.
   */
  public boolean seekFloor(byte[] key) {
    return seek(key, !reversed);
  }

  private boolean seek(byte[] key, boolean floor) {
    ensureOpen();
    byte[] treeKey = keys.key(Arguments.key(key));
    return floor
        ? cursor.seekFloor(treeKey, treeKey.length)
        : cursor.seekCeiling(treeKey, treeKey.length);
  }

  /** Goes to the next key in the range's order; false when there is none. */
  public boolean next() {
    ensureOpen();
    return reversed ? cursor.previous() : cursor.next();
  }

  /** Goes to the previous key in the range's order; false when there is none. */
  public boolean previous() {
    ensureOpen();
    return reversed ? cursor.next() : cursor.previous();
  }

  /** Returns whether the cursor stands on a key. */
  public boolean isValid() {
    return !closed && cursor.isOnKey();
  }

  /**
   * Returns a copy of the key.
   *
   * @throws IllegalStateException if the cursor stands on none
   */
  public byte[] key() {
    ensureOnKey();
    return KeySpace.userKey(cursor.key(), cursor.keyLength());
  }

  /**
   * Returns a copy of the value that the key had when the cursor came to it.
   *
   * @throws IllegalStateException if the cursor stands on no key
   */
  public byte[] value() {
    ensureOnKey();
    cursor.value(value);
    return reader.copy(value);
  }

  /** Returns the key, read-only, valid until the next move. */
  public MemorySegment keySegment() {
    ensureOnKey();
    int prefix = KeySpace.PREFIX_BYTES;
    return MemorySegment.ofArray(cursor.key())
        .asSlice(prefix, cursor.keyLength() - prefix)
        .asReadOnly();
  }

  /** Returns the value without copying it, read-only, valid until the view is closed or changed. */
  public MemorySegment valueSegment() {
    ensureOnKey();
    cursor.value(value);
    return reader.bytes(value).asReadOnly();
  }

  /**
   * Deletes the key that the cursor stands on; the position stays, so that {@link #next} and {@link
   * #previous} go to its neighbours.
   *
   * @throws IllegalStateException if the cursor stands on no key
   * @throws UnsupportedOperationException if the cursor is a snapshot's
   */
  public void delete() {
    ensureOnKey();
    if (deletion == null) {
      throw new UnsupportedOperationException("a snapshot cannot be changed");
    }
    deletion.accept(key());
  }

  /** Makes the cursor unusable. Idempotent. */
  @Override
  public void close() {
    closed = true;
  }

  private void ensureOnKey() {
    ensureOpen();
    if (!cursor.isOnKey()) {
      throw new IllegalStateException("the cursor stands on no key");
    }
    reader.ensureOpen();
  }

  private void ensureOpen() {
    if (closed) {
      throw new ClosedException("the cursor was closed");
    }
  }
}
