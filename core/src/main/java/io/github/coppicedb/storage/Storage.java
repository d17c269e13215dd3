package io.github.coppicedb.storage;

import java.util.List;

/**
 * The files of one database directory: the seam between the engine and the world. Names are plain
 * file names without separators. Every method reports failure as {@link
 * io.github.coppicedb.StorageFailureException}, naming the file. Nothing is durable before it was
 * forced: a file's bytes by {@link OutputFile#force}, its name by {@link #forceDirectory}.
 *
 * <p>Thread-safe. No call is disturbed by, or clears, the interrupt status of its thread.
 */
public interface Storage extends AutoCloseable {
  /** Returns where the files are, for messages. */
  String location();

  /** Returns the names of all regular files, in order. */
  List<String> list();

  /** Makes a new file; fails if it exists. */
  OutputFile create(String name);

  /** Maps a whole file read-only as it is now. An empty file gives an empty segment. */
  MappedFile map(String name);

  /** Returns a file's length in bytes. */
  long size(String name);

  /** Cuts a file to a length and forces it. Never called for a file that is mapped. */
  void truncate(String name, long length);

  /** Renames a file, replacing the target in one step. */
  void rename(String from, String to);

  /** Removes a file; a missing one is no error. */
  void delete(String name);

  /** Makes creations, renames and removals of names durable. */
  void forceDirectory();

  /** Lets go of the directory and its lock. Open files must be closed before. Idempotent. */
  @Override
  void close();
}
