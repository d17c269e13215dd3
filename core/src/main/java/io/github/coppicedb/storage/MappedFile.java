package io.github.coppicedb.storage;

import java.lang.foreign.MemorySegment;

/**
 * A file mapped read-only. After {@link #close} any access to the segment is an {@link
 * IllegalStateException}, never a crash.
 */
public interface MappedFile extends AutoCloseable {
  /** Returns the file's name. */
  String name();

  /** Returns the file's bytes, as many as it had when it was mapped. Any thread may read. */
  MemorySegment segment();

  /** Unmaps. Idempotent. Waits for reads under way in other threads, so not for users' threads. */
  @Override
  void close();
}
