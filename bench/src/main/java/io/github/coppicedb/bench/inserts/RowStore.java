package io.github.coppicedb.bench.inserts;

import org.jspecify.annotations.Nullable;

/** An engine that rows are put into, in batches. One thread. */
interface RowStore extends AutoCloseable {
  /** Puts a row into the batch. */
  void put(byte[] key, byte[] row) throws Exception;

  /** Makes the batch visible; a killed process does not lose it, unless the engine has no log. */
  void commit() throws Exception;

  /** Returns when all that was committed is on the device. */
  void sync() throws Exception;

  /** Returns when no background work is left. */
  void drain() throws Exception;

  /** Returns a row, or null. */
  byte @Nullable [] get(byte[] key) throws Exception;

  @Override
  void close();
}
