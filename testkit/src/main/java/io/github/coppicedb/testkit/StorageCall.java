package io.github.coppicedb.testkit;

/** The calls of a storage and of its files that can be counted and made to fail. */
public enum StorageCall {
  /** Listing the names. */
  LIST,
  /** Making a file. */
  CREATE,
  /** Writing bytes; a failing write keeps half of them. */
  WRITE,
  /** Forcing a file; a failing force loses for good what was not forced before. */
  FORCE,
  /** Mapping a file. */
  MAP,
  /** Asking for a length. */
  SIZE,
  /** Cutting a file. */
  TRUNCATE,
  /** Renaming a file. */
  RENAME,
  /** Removing a file. */
  DELETE,
  /** Forcing the names. */
  FORCE_DIRECTORY
}
