package io.github.coppicedb.storage;

import java.lang.foreign.MemorySegment;

/**
 * A file that is written once from its begin to its end. One thread at a time; {@link #force} may
 * run beside {@link #write}, and covers what was written before it was called.
 */
public interface OutputFile extends AutoCloseable {
  /** Returns the file's name. */
  String name();

  /** Returns the number of bytes written so far. */
  long position();

  /** Hands bytes of an array to the operating system, all of them. */
  void write(byte[] source, int offset, int length);

  /** Hands a whole segment to the operating system. */
  void write(MemorySegment source);

  /**
   * Makes the file longer than its position by at least some bytes, which read as zeros, so that a
   * force after a small write into this room need not change the file's length. A hint: it may do
   * nothing, and it reports no failure. {@link #close} cuts off room that is left; a crash may
   * leave it.
   */
  default void reserve(long bytes) {}

  /** Returns when all bytes written before the call are on the device. */
  void force();

  /** Closes the file without forcing it. Idempotent. */
  @Override
  void close();
}
