package io.github.coppicedb.format;

import java.util.Locale;

/**
 * The names of the files of a database directory. Numbered files share one sequence of ids, so an
 * id names at most one file. The names have meaning on disk: never change them.
 */
public final class FileNames {
  /** Carries the lock of the operating system; its content is for messages only. */
  public static final String LOCK = "LOCK";

  /** Says what belongs to the database. */
  public static final String MANIFEST = "MANIFEST";

  /** The next manifest until it is renamed; one that is left over means nothing. */
  public static final String MANIFEST_TMP = "MANIFEST.tmp";

  /** Ends the name of a log. */
  public static final String LOG_SUFFIX = ".log";

  /** Ends the name of a tree file. */
  public static final String TREE_SUFFIX = ".tree";

  /** Ends the name of a file that holds one large value. */
  public static final String VALUE_SUFFIX = ".value";

  private static final int LEAST_DIGITS = 6;
  private static final int MOST_DIGITS = 18;

  private FileNames() {}

  /** Returns the name of a log. */
  public static String log(long id) {
    return numbered(id, LOG_SUFFIX);
  }

  /** Returns the name of a tree file. */
  public static String tree(long id) {
    return numbered(id, TREE_SUFFIX);
  }

  /** Returns the name of the file of a large value. */
  public static String value(long id) {
    return numbered(id, VALUE_SUFFIX);
  }

  /** Returns whether a name is that of a log. */
  public static boolean isLog(String name) {
    return isNumbered(name, LOG_SUFFIX);
  }

  /** Returns whether a name is that of a tree file. */
  public static boolean isTree(String name) {
    return isNumbered(name, TREE_SUFFIX);
  }

  /** Returns whether a name is that of a large value's file. */
  public static boolean isValue(String name) {
    return isNumbered(name, VALUE_SUFFIX);
  }

  /** Returns whether a name is that of a log, a tree file or a value file. */
  public static boolean isNumbered(String name) {
    return isLog(name) || isTree(name) || isValue(name);
  }

  /**
   * Returns the id in the name of a log, tree or value file.
   *
   * @throws IllegalArgumentException if it is no such name
   */
  public static long idOf(String name) {
    if (!isLog(name) && !isTree(name) && !isValue(name)) {
      throw new IllegalArgumentException("not the name of a numbered file: " + name);
    }
    return Long.parseLong(name, 0, name.indexOf('.'), 10);
  }

  private static String numbered(long id, String suffix) {
    if (id < 0) {
      throw new IllegalArgumentException("file id " + id + " is negative");
    }
    return String.format(Locale.ROOT, "%06d%s", id, suffix);
  }

  private static boolean isNumbered(String name, String suffix) {
    int digits = name.length() - suffix.length();
    if (digits < LEAST_DIGITS || digits > MOST_DIGITS || !name.endsWith(suffix)) {
      return false;
    }
    for (int i = 0; i < digits; i++) {
      if (name.charAt(i) < '0' || name.charAt(i) > '9') {
        return false;
      }
    }
    return digits == LEAST_DIGITS || name.charAt(0) != '0';
  }
}
