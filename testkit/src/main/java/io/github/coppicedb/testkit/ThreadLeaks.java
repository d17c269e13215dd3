package io.github.coppicedb.testkit;

import java.util.HashSet;
import java.util.Set;

/** Finds platform threads that were started since this was made and still run. */
public final class ThreadLeaks {
  private static final int PATIENCE_MILLIS = 3000;

  private final Set<Thread> before = threads();

  /** Fails if a thread is left, after some patience for those that are about to end. */
  public void requireNone() {
    long end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
    Set<Thread> left = left();
    while (!left.isEmpty()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("threads left: " + left);
      }
      Thread.onSpinWait();
      left = left();
    }
  }

  private Set<Thread> left() {
    Set<Thread> left = threads();
    left.removeAll(before);
    left.removeIf(ThreadLeaks::isOfTheRuntime);
    return left;
  }

  private static Set<Thread> threads() {
    return new HashSet<>(Thread.getAllStackTraces().keySet());
  }

  /** Threads that the JDK starts once when it needs them, and keeps. */
  private static boolean isOfTheRuntime(Thread thread) {
    String name = thread.getName();
    return name.startsWith("ForkJoinPool")
        || name.startsWith("VirtualThread")
        || name.startsWith("Cleaner-")
        || name.startsWith("process reaper")
        || name.equals("Attach Listener");
  }
}
