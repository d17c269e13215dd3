package io.github.coppicedb.lsm;

import io.github.coppicedb.log.LogPosition;

/** What the engine does when the stored part of a database changes. Called one at a time. */
public interface Checkpoint {
  /**
   * Makes durable that these levels, and the log from a position on, are the database.
   *
   * @throws io.github.coppicedb.StorageFailureException when a crash may bring either state back
   */
  void write(Levels levels, LogPosition replayFrom);

  /** Returns whether a crash now could bring back a state that names a tree file. */
  boolean names(StoredTree tree);

  /** Removes the log files that recovery needs no more. */
  void dropLogs(LogPosition replayFrom);
}
