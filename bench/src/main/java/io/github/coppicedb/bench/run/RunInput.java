package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.MultikeyQuicksort;
import io.github.coppicedb.bench.keys.KeyBlock;
import io.github.coppicedb.bench.keys.KeyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * What a run reads: the keys, in the order in which they are put, and what it looks up.
 *
 * @param file of the keys
 * @param count of keys to put
 * @param keys in memory; none if the workload reads them from the file while it puts
 */
record RunInput(
    Workload workload, Path file, int count, KeyBlock keys, KeyBlock hits, KeyBlock misses) {
  /**
   * Reads the keys.
   *
   * @param most keys to put
   * @param probes of each kind; 0 = the run ends with the close
   */
  static RunInput read(Workload workload, Path file, Path misses, int most, int probes)
      throws IOException {
    if (workload == Workload.HEAP) {
      KeyBlock none = KeyBlock.of(List.of());
      return new RunInput(workload, file, most, none, none, none);
    }
    KeyBlock keys = KeyFile.read(file, most);
    KeyBlock absent = KeyFile.read(misses, probes);
    KeyBlock hits = Picks.of(keys, keys.size(), absent.size());
    if (workload == Workload.ASCENDING || workload == Workload.DESCENDING) {
      byte[][] sorted = keys.toArray(byte[][]::new);
      MultikeyQuicksort.sort(sorted);
      List<byte[]> ascending = Arrays.asList(sorted);
      keys = KeyBlock.of(workload == Workload.ASCENDING ? ascending : ascending.reversed());
    }
    return new RunInput(workload, file, keys.size(), keys, hits, absent);
  }

  /** Returns whether the run goes on after the close: reopen, scan, lookups. */
  boolean isRead() {
    return !misses.isEmpty() || workload == Workload.HEAP;
  }
}
