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

  /** Makes a pool of at most so many threads. */
  public Background(String name, int threads) {
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

  /** Returns whether the work is left to the callers. */
  public boolean isInline() {
    return pool == null;
  }

  /** Runs what was submitted to its end and ends the threads. */
  @Override
  public void close() {
    if (pool != null) {
      pool.close();
    }
  }
}
