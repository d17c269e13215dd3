package io.github.coppicedb.bench.run;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Lets a process come to rest before something is measured: collects garbage, then waits until
 * neither the compilers nor other threads do anything, so that what is left over from before is not
 * counted.
 */
public final class Quiet {
  private static final long MOST_NANOS = 2_000_000_000;
  private static final long STEP_MILLIS = 100;

  // The system counts in steps of a hundredth of a second.
  private static final long IDLE_NANOS = 10_000_000;

  private Quiet() {}

  /** Waits. */
  public static void await() throws InterruptedException {
    System.gc();
    long begin = System.nanoTime();
    long cpu = ProcessFacts.cpuNanos();
    long compiled = compileMillis();
    boolean isQuiet = false;
    while (!isQuiet && System.nanoTime() - begin < MOST_NANOS) {
      TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
      long cpuNow = ProcessFacts.cpuNanos();
      long compiledNow = compileMillis();
      isQuiet = cpuNow - cpu <= IDLE_NANOS && compiledNow == compiled;
      cpu = cpuNow;
      compiled = compiledNow;
    }
  }

  /** Returns the milliseconds that compilers have taken so far; 0 where nobody counts. */
  static long compileMillis() {
    CompilationMXBean bean = ManagementFactory.getCompilationMXBean();
    return bean != null && bean.isCompilationTimeMonitoringSupported()
        ? bean.getTotalCompilationTime()
        : 0;
  }
}
