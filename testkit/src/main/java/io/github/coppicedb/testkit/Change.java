package io.github.coppicedb.testkit;

import java.util.NavigableMap;

/** One change of a write transaction in the model. Tables are numbered, see {@link ModelState}. */
public sealed interface Change {
  /** Bytes that a change takes besides its key and value, amply. */
  long OVERHEAD = 64;

  /** Heap that a change takes besides its key as long as only that is remembered, amply. */
  long TRACE_OVERHEAD = 256;

  /** Returns the number of the table that is changed. */
  int table();

  /** Returns about how many bytes the change takes in the database. */
  long bytes();

  /** Returns about how much heap it takes to remember which keys are changed, amply. */
  default long traceBytes() {
    return TRACE_OVERHEAD + 2 * keyBytes();
  }

  /** Returns how many bytes the key has, or both ends of the range. */
  long keyBytes();

  /** Makes the change in the content of its table. */
  void applyTo(NavigableMap<byte[], byte[]> content);

  /** Adds what is changed to a write set. */
  void addTo(WriteSet.TableWrites writes);

  /** A key gets a value. */
  record Put(int table, byte[] key, byte[] value) implements Change {
    @Override
    public long bytes() {
      return OVERHEAD + (long) key.length + value.length;
    }

    @Override
    public long keyBytes() {
      return key.length;
    }

    @Override
    public void applyTo(NavigableMap<byte[], byte[]> content) {
      content.put(key, value);
    }

    @Override
    public void addTo(WriteSet.TableWrites writes) {
      writes.keys().add(key);
    }
  }

  /** A key goes, if it is there. */
  record Delete(int table, byte[] key) implements Change {
    @Override
    public long bytes() {
      return OVERHEAD + key.length;
    }

    @Override
    public long keyBytes() {
      return key.length;
    }

    @Override
    public void applyTo(NavigableMap<byte[], byte[]> content) {
      content.remove(key);
    }

    @Override
    public void addTo(WriteSet.TableWrites writes) {
      writes.keys().add(key);
    }
  }

  /** All keys of a range go. */
  record DeleteRange(int table, RangeSpec range) implements Change {
    @Override
    public long bytes() {
      return OVERHEAD + keyBytes();
    }

    @Override
    public long keyBytes() {
      long low = range.low() == null ? 0 : range.low().length;
      return low + (range.high() == null ? low : range.high().length);
    }

    @Override
    public void applyTo(NavigableMap<byte[], byte[]> content) {
      content.keySet().removeIf(range::contains);
    }

    @Override
    public void addTo(WriteSet.TableWrites writes) {
      writes.ranges().add(range);
    }
  }
}
