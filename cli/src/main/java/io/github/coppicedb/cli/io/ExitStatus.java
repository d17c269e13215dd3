package io.github.coppicedb.cli.io;

/** What the process tells its parent at the end. */
public final class ExitStatus {
  /** What was asked for is done. */
  public static final int DONE = 0;

  /** The answer is no: the key or the table is not there, or a check found damage. */
  public static final int NEGATIVE = 1;

  /** The command was not understood; nothing was tried. */
  public static final int USAGE = 2;

  /** The command failed. */
  public static final int FAILURE = 3;

  private ExitStatus() {}
}
