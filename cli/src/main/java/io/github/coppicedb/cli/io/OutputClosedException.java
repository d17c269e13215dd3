package io.github.coppicedb.cli.io;

import java.io.IOException;

/** Whoever read the standard output has gone, as {@code head} does; there is no one to tell. */
public final class OutputClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputClosedException(IOException cause) {
    super("the standard output was closed", cause);
  }
}
