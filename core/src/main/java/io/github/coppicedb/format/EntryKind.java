package io.github.coppicedb.format;

/** What an entry says of its key. Numbers stand in files: never renumber. */
public final class EntryKind {
  /** The key has the value that stands in the entry. */
  public static final byte PUT = 0;

  /** The key is deleted: older entries of it are hidden. */
  public static final byte TOMBSTONE = 1;

  /** The key has a value in a file of its own; the entry holds a value reference. */
  public static final byte LARGE = 2;

  private EntryKind() {}
}
