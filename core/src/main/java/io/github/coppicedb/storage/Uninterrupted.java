package io.github.coppicedb.storage;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Runs a short piece of work with a {@link java.nio.channels.FileChannel} so that an interrupt does
 * not show: a channel is closed when its thread is interrupted, so the work opens its own channel,
 * is run again when it was disturbed, and the interrupt status is put back at the end.
 */
final class Uninterrupted {
  /** Opens a channel, uses it, closes it; may run several times. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  private Uninterrupted() {}

  /** Runs the work until no interrupt disturbs it. */
  static <T> T run(Work<T> work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return work.run();
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
