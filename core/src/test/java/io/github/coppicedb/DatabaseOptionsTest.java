package io.github.coppicedb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** The defaults of a database's options, and their bounds. */
final class DatabaseOptionsTest {
  /** With two processors, two merges and the writer would leave nothing to readers. */
  @Test
  void smallMachinesHaveOneMergeThread() {
    int processors = Runtime.getRuntime().availableProcessors();
    assertEquals(processors < 4 ? 1 : 2, DatabaseOptions.defaults().mergeThreads());
  }

  @Test
  void threadsAndBudgetHaveBounds() {
    DatabaseOptions options = DatabaseOptions.defaults();
    assertThrows(IllegalArgumentException.class, () -> options.withMergeThreads(-1));
    assertThrows(IllegalArgumentException.class, () -> options.withMergeThreads(65));
    assertThrows(IllegalArgumentException.class, () -> options.withMemoryBudget(1000));
  }
}
