package io.github.coppicedb;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What can be read: a {@link Snapshot}, which never changes, or a {@link WriteTransaction}, which
 * sees its own changes over the snapshot that it began with.
 *
 * <p>Keys are ordered as unsigned bytes; a key that is the begin of another comes first. Arrays
 * given are never kept; arrays returned belong to the caller.
 */
public sealed interface ReadView extends AutoCloseable permits Snapshot, WriteTransaction {
  /** Returns a copy of the value of a key, or null when the key is absent. */
  byte @Nullable [] get(Table table, byte[] key);

  /** Returns a copy of the value of a key, or null when the key is absent. */
  byte @Nullable [] get(Table table, MemorySegment key);

  /**
   * Returns the value of a key without copying it, read-only, or null when the key is absent. The
   * segment can be read until this view is closed or, in a transaction, changed.
   */
  @Nullable MemorySegment getSegment(Table table, MemorySegment key);

  /** Returns whether a key is present. */
  boolean contains(Table table, byte[] key);

  /** Returns a cursor over a whole table, positioned nowhere. */
  Cursor cursor(Table table);

  /** Returns a cursor over the keys of a range, in its direction, positioned nowhere. */
  Cursor cursor(Table table, KeyRange range);

  /** Returns how many keys a range holds, by walking over them. */
  long count(Table table, KeyRange range);

  @Override
  void close();
}
