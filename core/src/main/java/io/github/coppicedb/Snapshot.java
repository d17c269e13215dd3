package io.github.coppicedb;

import io.github.coppicedb.tx.ReadSnapshot;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The state of a database at one moment. It never changes, whatever is committed, merged or dropped
 * meanwhile, and never makes a writer wait; but files that it still needs stay on disk, so close
 * it.
 *
 * <p>Any number of threads may read one snapshot at once; each cursor belongs to one thread.
 */
public final class Snapshot implements ReadView {
  private final Database database;
  private final ReadSnapshot state;
  private final Reader reader;

  Snapshot(Database database, ReadSnapshot state) {
    this.database = database;
    this.state = state;
    this.reader = new Reader(database, state);
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
    return new Cursor(reader, table, range, null);
  }

  @Override
  public long count(Table table, KeyRange range) {
    return reader.count(table, range);
  }

  /** Returns the database that this is a state of. */
  public Database database() {
    return database;
  }

  /** Lets go of the state; reads after it are {@link ClosedException}s. Idempotent. */
  @Override
  public void close() {
    state.close();
  }
}
