package io.github.coppicedb;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tx.KeySpace;
import io.github.coppicedb.tx.RangeCursor;
import io.github.coppicedb.tx.View;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reading half that snapshots and transactions share: turns user's keys into the trees' keys.
 */
final class Reader {
  private final Database database;
  private final View view;

  Reader(Database database, View view) {
    this.database = database;
    this.view = view;
  }

  byte @Nullable [] get(Table table, byte[] key) {
    EntryValue value = new EntryValue();
    return find(table, key, value) ? copy(value) : null;
  }

  @Nullable MemorySegment getSegment(Table table, byte[] key) {
    EntryValue value = new EntryValue();
    return find(table, key, value) ? bytes(value).asReadOnly() : null;
  }

  boolean contains(Table table, byte[] key) {
    return find(table, key, new EntryValue());
  }

  private boolean find(Table table, byte[] key, EntryValue out) {
    byte[] treeKey = table.keysIn(database).key(Arguments.key(key));
    return view.find(treeKey, treeKey.length, out);
  }

  KeySpace keys(Table table) {
    return table.keysIn(database);
  }

  RangeCursor cursor(Table table, KeyRange range) {
    KeySpace keys = keys(table);
    byte[] high = range.high();
    byte[] end = high == null ? keys.high() : keys.key(high);
    return new RangeCursor(view, keys.key(range.low()), end);
  }

  long count(Table table, KeyRange range) {
    RangeCursor cursor = cursor(table, range);
    long count = 0;
    for (boolean on = cursor.first(); on; on = cursor.next()) {
      count++;
    }
    return count;
  }

  /** Throws {@link ClosedException} after the view's end. */
  void ensureOpen() {
    view.ensureOpen();
  }

  /** Returns the value's bytes where they are. */
  MemorySegment bytes(EntryValue value) {
    try {
      return value.kind() == EntryKind.LARGE ? view.values().read(value) : value.slice();
    } catch (IllegalStateException e) {
      throw view.translate(e);
    }
  }

  /** Returns a copy of the value's bytes. */
  byte[] copy(EntryValue value) {
    try {
      if (value.kind() != EntryKind.LARGE) {
        return value.copy();
      }
      MemorySegment file = view.values().read(value);
      byte[] copy = new byte[Math.toIntExact(file.byteSize())];
      MemorySegment.ofArray(copy).copyFrom(file);
      return copy;
    } catch (IllegalStateException e) {
      throw view.translate(e);
    }
  }

  /** Returns whether a key has exactly this value. */
  boolean holds(Table table, byte[] key, byte[] expected) {
    Objects.requireNonNull(expected, "expected");
    byte[] found = get(table, key);
    return found != null && Arrays.equals(found, expected);
  }
}
