package io.github.coppicedb;

/**
 * What a crash can take back after a commit returned. At every level a transaction is there whole
 * or not at all, and transactions are lost from the latest backwards.
 */
public enum Durability {
  /** Nothing: the log was forced to the device before commit returned. The default. */
  POWER_SAFE,

  /**
   * A killed process loses nothing; a power cut or a crash of the operating system can take back
   * what was committed since the last force: the log was handed to the operating system.
   */
  PROCESS_SAFE,

  /**
   * Any crash can take back the commits of about the last 100 milliseconds: the log is written and
   * forced in the background.
   */
  RECENT_COMMITS_AT_RISK,

  /**
   * Any crash can take back everything since the last drain or close: no log is written. For loads
   * that can be repeated.
   */
  UNSAVED_COMMITS_AT_RISK
}
