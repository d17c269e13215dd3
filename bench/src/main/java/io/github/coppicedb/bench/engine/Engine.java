package io.github.coppicedb.bench.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a benchmark asks of an engine: keys without data, one writer, one thread. The methods throw
 * whatever the engine throws; a run ends with that.
 */
public interface Engine {
  /** Opens the database in an existing folder, or makes it there. */
  void open(Path directory, Safety safety) throws Exception;

  /** Begins a write transaction. */
  void begin() throws Exception;

  /** Puts a key; the engine may keep the array. */
  void put(byte[] key) throws Exception;

  /** Called once after the last put of a put phase and measured with it. */
  default void endPuts() throws Exception {}

  /** Ends the write transaction; how safely, was said at the opening. */
  void commit() throws Exception;

  /** Waits until all work that commits left to the background is done. */
  default void drain() throws Exception {}

  /** Looks a key up: in the open transaction if there is one, else in what is committed. */
  boolean contains(byte[] key) throws Exception;

  /** Visits all keys in order, in the same view as {@link #contains}; returns how many. */
  long scan() throws Exception;

  /**
   * Returns lookups for another thread than the one that writes.
   *
   * @throws UnsupportedOperationException if there is none; {@code Workload.suits} knows
   */
  default Lookups lookups() throws Exception {
    throw new UnsupportedOperationException("no lookups beside a writer");
  }

  /** Lookups in what is committed. One thread. */
  @FunctionalInterface
  interface Lookups extends AutoCloseable {
    /** Returns whether a key is there. */
    boolean contains(byte[] key) throws Exception;

    /** Goes on with what is committed now. */
    default void renew() throws Exception {}

    @Override
    default void close() {}
  }

  /** Closes what is open. */
  void close() throws Exception;

  /** Whether a database is found again after it was closed. */
  default boolean isPersistent() {
    return true;
  }

  /** Returns the bytes of the closed database on disk. */
  default long diskBytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
      return bytes;
    }
  }
}
