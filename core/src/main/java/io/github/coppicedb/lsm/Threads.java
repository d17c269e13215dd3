package io.github.coppicedb.lsm;

/** Waits for threads. */
public final class Threads {
  private Threads() {}

  /** Returns when a thread has ended; an interrupt is kept. */
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
