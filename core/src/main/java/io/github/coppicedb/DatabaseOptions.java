package io.github.coppicedb;

/**
 * How a database is opened. All defaults are safe and need no tuning.
 *
 * @param durability what a crash can take back
 * @param createIfMissing whether a missing or empty directory becomes a new database
 * @param memoryBudget bytes of heap that changes may take before they are written to tree files;
 *     half as much again may remember what was changed since open transactions began, see {@link
 *     ConflictException}
 * @param mergeThreads threads that seal and merge in the background; 0 = the writers do that work
 */
public record DatabaseOptions(
    Durability durability, boolean createIfMissing, long memoryBudget, int mergeThreads) {
  private static final long MIN_BUDGET = 1 << 20;
  private static final long MAX_DEFAULT_BUDGET = 256L << 20;
  private static final int MANY_PROCESSORS = 4;

  /** Checks the values. */
  public DatabaseOptions {
    java.util.Objects.requireNonNull(durability, "durability");
    if (memoryBudget < MIN_BUDGET) {
      throw new IllegalArgumentException(
          "memoryBudget is %d bytes, the least is %d".formatted(memoryBudget, MIN_BUDGET));
    }
    if (mergeThreads < 0 || mergeThreads > 64) {
      throw new IllegalArgumentException(
          "mergeThreads is %d, it must be 0 to 64".formatted(mergeThreads));
    }
  }

  /**
   * Returns the defaults: power safe, created if missing, a quarter of the heap, two threads, or
   * one where there are fewer than four processors, so that a writer and its merges leave one to
   * others.
   */
  public static DatabaseOptions defaults() {
    Runtime runtime = Runtime.getRuntime();
    long budget = Math.clamp(runtime.maxMemory() / 4, MIN_BUDGET, MAX_DEFAULT_BUDGET);
    int threads = runtime.availableProcessors() < MANY_PROCESSORS ? 1 : 2;
    return new DatabaseOptions(Durability.POWER_SAFE, true, budget, threads);
  }

  /** Returns a copy with another durability. */
  public DatabaseOptions withDurability(Durability level) {
    return new DatabaseOptions(level, createIfMissing, memoryBudget, mergeThreads);
  }

  /** Returns a copy that creates a missing database, or refuses to. */
  public DatabaseOptions withCreateIfMissing(boolean create) {
    return new DatabaseOptions(durability, create, memoryBudget, mergeThreads);
  }

  /** Returns a copy with another memory budget, in bytes. */
  public DatabaseOptions withMemoryBudget(long bytes) {
    return new DatabaseOptions(durability, createIfMissing, bytes, mergeThreads);
  }

  /** Returns a copy with another number of background threads. */
  public DatabaseOptions withMergeThreads(int threads) {
    return new DatabaseOptions(durability, createIfMissing, memoryBudget, threads);
  }
}
