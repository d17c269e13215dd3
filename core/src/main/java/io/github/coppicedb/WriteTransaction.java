package io.github.coppicedb;

import io.github.coppicedb.tx.KeySpace;
import io.github.coppicedb.tx.Transaction;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes that become visible and durable together or not at all. Reads see the transaction's own
 * changes over the snapshot that it began with (snapshot isolation); any number of transactions may
 * be open, and of two that change the same key the first to commit wins, the other's commit throws
 * {@link ConflictException}. A deleted range counts as a change of every key in it. A transaction
 * that stays open while others change millions of keys may get that exception, too, which says
 * exactly when. Two transactions that only read what the other one changes both commit: write skew
 * is possible at this level.
 *
 * <p>There is no limit on the size of a transaction but the disk. One thread at a time; close it,
 * or its memory and files stay until the database is closed.
 */
public final class WriteTransaction implements ReadView {
  private final Database database;
  private final Transaction changes;
  private final Reader reader;
  // Keys are copied again on their way into a top, so one array serves for all of them.
  private byte[] scratch = new byte[128];

  WriteTransaction(Database database, Transaction changes) {
    this.database = database;
    this.changes = changes;
    this.reader = new Reader(database, changes);
  }

  /** Gives a key a value, new or other. */
  public void put(Table table, byte[] key, byte[] value) {
    KeySpace keys = table.keysToChange(database);
    byte[] treeKey = treeKey(keys, Arguments.key(key));
    changes.put(
        treeKey, KeySpace.PREFIX_BYTES + key.length, Objects.requireNonNull(value, "value"));
  }

  /** Gives a key a value, new or other. Bytes are copied; large values go to a file at once. */
  public void put(Table table, MemorySegment key, MemorySegment value) {
    put(table, Arguments.key(key), Arguments.value(value), true);
  }

  private boolean put(Table table, byte[] key, MemorySegment value, boolean condition) {
    KeySpace keys = table.keysToChange(database);
    if (condition) {
      changes.put(treeKey(keys, key), KeySpace.PREFIX_BYTES + key.length, value);
    }
    return condition;
  }

  /** Returns an array that begins with the key in the trees, until the next call. */
  private byte[] treeKey(KeySpace keys, byte[] key) {
    int length = KeySpace.PREFIX_BYTES + key.length;
    if (scratch.length < length) {
      scratch = new byte[2 * length];
    }
    keys.write(key, scratch);
    return scratch;
  }

  /** Deletes a key; no error when it is absent. */
  public void delete(Table table, byte[] key) {
    KeySpace keys = table.keysToChange(database);
    changes.delete(treeKey(keys, Arguments.key(key)), KeySpace.PREFIX_BYTES + key.length);
  }

  /** Deletes a key; no error when it is absent. */
  public void delete(Table table, MemorySegment key) {
    delete(table, Arguments.key(key));
  }

  /** Gives a key a value only if it is absent; returns whether it was. */
  public boolean putIfAbsent(Table table, byte[] key, byte[] value) {
    MemorySegment bytes = Arguments.value(value);
    return put(table, key, bytes, !reader.contains(table, key));
  }

  /** Gives a key another value only if it is present; returns whether it was. */
  public boolean replace(Table table, byte[] key, byte[] value) {
    MemorySegment bytes = Arguments.value(value);
    return put(table, key, bytes, reader.contains(table, key));
  }

  /** Gives a key another value only if it has the expected one; returns whether it had. */
  public boolean compareAndSet(Table table, byte[] key, byte[] expected, byte[] value) {
    MemorySegment bytes = Arguments.value(value);
    return put(table, key, bytes, reader.holds(table, key, expected));
  }

  /** Deletes all keys of a range, however many, at the cost of one change. */
  public void deleteRange(Table table, KeyRange range) {
    KeySpace keys = table.keysToChange(database);
    if (!range.isEmpty()) {
      byte[] high = range.high();
      byte[] low = keys.key(Arguments.rangeEnd(range.low()));
      changes.deleteRange(low, high == null ? keys.high() : keys.key(Arguments.rangeEnd(high)));
    }
  }

  /** Returns a moment to go back to. */
  public Savepoint savepoint() {
    return new Savepoint(changes.mark());
  }

  /**
   * Takes back all changes since a savepoint. The savepoint stays usable, later ones do not.
   *
   * @throws IllegalArgumentException if the savepoint is of another transaction or was taken back
   */
  public void rollbackTo(Savepoint savepoint) {
    changes.rollbackTo(savepoint.mark());
  }

  /**
   * Ends the transaction; when this returns, its changes are visible to whoever looks from now on,
   * and as safe as the database's {@link Durability} says.
   *
   * @throws ConflictException if another transaction changed the same keys first; nothing happened
   * @throws StorageFailureException if the log could not be written; nothing happened, unless the
   *     message says that it could not be forced
   */
  public void commit() {
    changes.commit();
  }

  /** Ends the transaction and forgets its changes. Does nothing when it has ended. */
  public void rollback() {
    changes.rollback();
  }

  /** Rolls back if the transaction was not committed. */
  @Override
  public void close() {
    changes.rollback();
  }

  @Override
  public byte @Nullable [] get(Table table, byte[] key) {
    return reader.get(table, key);
  }

  @Override
  public byte @Nullable [] get(Table table, MemorySegment key) {
    return reader.get(table, Arguments.key(key));
  }

  @Override
  public @Nullable MemorySegment getSegment(Table table, MemorySegment key) {
    return reader.getSegment(table, Arguments.key(key));
  }

  @Override
  public boolean contains(Table table, byte[] key) {
    return reader.contains(table, key);
  }

  @Override
  public Cursor cursor(Table table) {
    return cursor(table, KeyRange.all());
  }

  @Override
  public Cursor cursor(Table table, KeyRange range) {
    return new Cursor(reader, table, range, key -> delete(table, key));
  }

  @Override
  public long count(Table table, KeyRange range) {
    return reader.count(table, range);
  }

  /** Returns the database that is changed. */
  public Database database() {
    return database;
  }
}
