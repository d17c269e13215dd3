package io.github.coppicedb.bench.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The limit: the keys are only kept and sorted, by {@link MultikeyQuicksort}, in the put phase.
 * What an engine takes longer it takes for being one.
 */
final class SortEngine implements Engine {
  private final List<byte[]> puts = new ArrayList<>();
  private byte[][] sorted = {};

  @Override
  public void open(Path directory, Safety safety) {
    // It is in memory only.
  }

  @Override
  public void begin() {
    // It has no transactions.
  }

  @Override
  public void put(byte[] key) {
    puts.add(key);
  }

  @Override
  public void endPuts() {
    sorted = puts.toArray(byte[][]::new);
    MultikeyQuicksort.sort(sorted);
  }

  @Override
  public void commit() {
    // It has no transactions.
  }

  @Override
  public boolean contains(byte[] key) {
    return Arrays.binarySearch(sorted, key, Arrays::compareUnsigned) >= 0;
  }

  @Override
  public long scan() {
    long count = 0;
    for (byte[] key : sorted) {
      count += key == null ? 0 : 1;
    }
    return count;
  }

  @Override
  public void close() {
    // It stays in memory.
  }

  @Override
  public boolean isPersistent() {
    return false;
  }
}
