package io.github.coppicedb.bench.run;

/** An engine cannot be run on this machine; the message says what it needs. */
final class MissingEngineException extends Exception {
  private static final long serialVersionUID = 1;

  MissingEngineException(String message) {
    super(message);
  }
}
