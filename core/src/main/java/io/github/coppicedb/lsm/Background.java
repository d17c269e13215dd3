package io.github.coppicedb.lsm;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that seal, merge, unmap and remove in the background. With no threads the caller does
 * the work. Threads end when they have had nothing to do for a second. Thread-safe.
 *
 * <p>Tasks must not throw: whoever submits one keeps the failure where its own users see it.
 */
public final class Background implements AutoCloseable {
  private final @Nullable ThreadPoolExecutor pool;
  private final String name;
  private final Object monitor = new Object();
  // Guarded by the monitor.
  private @Nullable Thread helper;
  private boolean closed;

  /** Makes a pool of at most so many threads. */
  public Background(String name, int threads) {
    this.name = name;
    if (threads == 0) {
      pool = null;
      return;
    }
    AtomicInteger number = new AtomicInteger();
    pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task ->
                Thread.ofPlatform()
                    .daemon()
                    .name("coppice-" + name + "-" + number.incrementAndGet())
                    .unstarted(task));
    pool.allowCoreThreadTimeOut(true);
    // After the close nothing is begun: what there was to do is done by the next open.
    pool.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  /** Runs a task soon in the background, or now when there are no threads. */
  public void submit(Runnable task) {
    ThreadPoolExecutor threads = pool;
    if (threads == null) {
      task.run();
    } else {
      threads.execute(task);
    }
  }

  /**
   * Runs a task soon in a thread beside the others, unless it runs so already: a writer that is
   * held back lends its time. With no threads the caller does it.
   */
  public void help(Runnable task) {
    if (pool == null) {
      task.run();
      return;
    }
    synchronized (monitor) {
      if (!closed && (helper == null || !helper.isAlive())) {
        helper = Thread.ofPlatform().daemon().name("coppice-" + name + "-help").start(task);
      }
    }
  }

  /** Returns whether the work is left to the callers. */
  public boolean isInline() {
    return pool == null;
  }

  /** Runs what was submitted to its end and ends the threads. */
  @Override
  public void close() {
    Thread last;
    synchronized (monitor) {
      closed = true;
      last = helper;
    }
    if (pool != null) {
      pool.close();
    }
    if (last != null) {
      Threads.join(last);
    }
  }
}
