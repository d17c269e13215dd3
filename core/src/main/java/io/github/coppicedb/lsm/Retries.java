package io.github.coppicedb.lsm;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Remembers that background work fails, and has it tried again by itself: after 100 ms, then after
 * twice as long each time, up to some seconds. A thread waits for that only while work fails.
 * Thread-safe.
 */
final class Retries implements AutoCloseable {
  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MOST_DOUBLINGS = 5;

  private final Background background;
  private final Runnable work;
  private volatile @Nullable State state;
  private volatile long failures;
  // Guarded by the monitor.
  private @Nullable Thread timer;
  private boolean closed;

  /**
   * What fails.
   *
   * @param failure the last one
   * @param since when the first one of a row came
   * @param retries how often it was tried again since, in vain
   * @param next when it is tried again, as {@link System#nanoTime}
   */
  record State(RuntimeException failure, Instant since, int retries, long next) {}

  /**
   * Makes the memory of some work that has not failed.
   *
   * @param work runs in the background; tells {@link #failed} or {@link #succeeded}
   */
  Retries(Background background, Runnable work) {
    this.background = background;
    this.work = work;
  }

  /** Returns what fails, or null. */
  @Nullable State state() {
    return state;
  }

  /** Returns how often the work has failed since the open. */
  long failures() {
    return failures;
  }

  /** Returns whether the work has not failed, or the time has come to try it again. */
  boolean mayRun() {
    State known = state;
    return known == null || System.nanoTime() - known.next >= 0;
  }

  /** Takes note that the work was done. */
  void succeeded() {
    if (state != null) {
      synchronized (this) {
        state = null;
        notifyAll();
      }
    }
  }

  /** Takes note of a failure and sees to it that the work is tried again. */
  synchronized void failed(RuntimeException failure) {
    State last = state;
    int retries = last == null ? 0 : last.retries + 1;
    Instant since = last == null ? Instant.now() : last.since;
    long delay = FIRST_NANOS << Math.min(retries, MOST_DOUBLINGS);
    state = new State(failure, since, retries, System.nanoTime() + delay);
    failures++;
    if (timer == null && !closed && !background.isInline()) {
      timer = Thread.ofPlatform().daemon().name("coppice-retry").start(this::retryLater);
    }
  }

  /** Lets the work be tried again at once: something has succeeded. */
  synchronized void tryNow() {
    State known = state;
    if (known != null) {
      state = new State(known.failure, known.since, known.retries, System.nanoTime());
      notifyAll();
    }
  }

  private void retryLater() {
    if (awaitTime()) {
      background.submit(work);
    }
  }

  /** Returns when the work is to be tried; false when it need not be. */
  private synchronized boolean awaitTime() {
    State known = state;
    while (known != null && !closed && System.nanoTime() - known.next < 0) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, known.next - System.nanoTime());
      } catch (InterruptedException e) {
        // Nobody has a reason to interrupt this thread.
        assert Thread.currentThread().isDaemon();
      }
      known = state;
    }
    timer = null;
    return known != null && !closed;
  }

  /** Tries nothing any more. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
