package io.github.coppicedb.lsm;

/** A file that the current version no longer refers to. */
interface Retired {
  /** Returns whether a version still needs the file. */
  boolean neededBy(Version version);

  /** Unmaps and removes the file. */
  void dispose();
}
