package io.github.coppicedb.bench.engine;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.function.Function;

/**
 * A sorted map of the Java library, by the order of unsigned bytes. Nothing is copied or stored.
 */
final class MapEngine implements Engine {
  private static final byte[] NO_VALUE = {};

  private final NavigableMap<byte[], byte[]> map;

  MapEngine(Function<Comparator<byte[]>, NavigableMap<byte[], byte[]>> maker) {
    this.map = maker.apply(Arrays::compareUnsigned);
  }

  @Override
  public void open(Path directory, Safety safety) {
    // The map is there from the beginning.
  }

  @Override
  public void begin() {
    // It has no transactions.
  }

  @Override
  public void put(byte[] key) {
    map.put(key, NO_VALUE);
  }

  @Override
  public void commit() {
    // It has no transactions.
  }

  @Override
  public boolean contains(byte[] key) {
    return map.containsKey(key);
  }

  @Override
  public long scan() {
    long count = 0;
    for (byte[] key : map.keySet()) {
      count += key == null ? 0 : 1;
    }
    return count;
  }

  @Override
  public Lookups lookups() {
    return this::contains;
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
