package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.MultikeyQuicksort;
import io.github.coppicedb.bench.keys.KeyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What a run reads: the keys, in the order in which they are put, and what it looks up.
 *
 * @param file of the keys
 * @param count of keys to put
 * @param keys in memory; none if the workload reads them from the file while it puts
 */
record RunInput(
    Workload workload, Path file, int count, byte[][] keys, byte[][] hits, byte[][] misses) {
  /**
   * Reads the keys.
   *
   * @param most keys to put
   * @param probes of each kind; 0 = the run ends with the close
   */
  static RunInput read(Workload workload, Path file, Path misses, int most, int probes)
      throws IOException {
    if (workload == Workload.HEAP) {
      return new RunInput(workload, file, most, new byte[0][], new byte[0][], new byte[0][]);
    }
    byte[][] keys = KeyFile.read(file, most);
    byte[][] absent = KeyFile.read(misses, probes);
    byte[][] hits = Picks.of(keys, keys.length, absent.length);
    if (workload == Workload.ASCENDING || workload == Workload.DESCENDING) {
      MultikeyQuicksort.sort(keys);
    }
    if (workload == Workload.DESCENDING) {
      reverse(keys);
    }
    if (workload == Workload.ASCENDING || workload == Workload.DESCENDING) {
      // As a sorted file gives them: side by side in memory in the order in which they are put.
      Arrays.setAll(keys, i -> keys[i].clone());
    }
    return new RunInput(workload, file, keys.length, keys, hits, absent);
  }

  static void reverse(byte[][] keys) {
    for (int low = 0, high = keys.length - 1; low < high; low++, high--) {
      byte[] key = keys[low];
      keys[low] = keys[high];
      keys[high] = key;
    }
  }

  /** Returns whether the run goes on after the close: reopen, scan, lookups. */
  boolean isRead() {
    return misses.length > 0 || workload == Workload.HEAP;
  }
}
