package io.github.coppicedb.bench.ycsb;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An engine as YCSB needs it: records by their keys, in the order of bytes. For any thread. */
interface RecordStore extends AutoCloseable {
  /** Returns a record, or null. */
  byte @Nullable [] get(byte[] key) throws Exception;

  /** Puts a record, new or not. */
  void put(byte[] key, byte[] record) throws Exception;

  /**
   * Changes a record.
   *
   * @return false if it is not there
   */
  boolean change(byte[] key, UnaryOperator<byte[]> change) throws Exception;

  /** Removes a record. */
  void delete(byte[] key) throws Exception;

  /** Hands over up to {@code count} records from a key on, in order. */
  void scan(byte[] from, int count, Consumer<byte[]> sink) throws Exception;

  @Override
  void close();
}
