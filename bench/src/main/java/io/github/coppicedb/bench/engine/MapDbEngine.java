package io.github.coppicedb.bench.engine;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** MapDB's B-tree of keys alone, in a mapped file, without its log, which a load does not need. */
final class MapDbEngine implements Engine {
  private @Nullable DB database;
  private @Nullable NavigableSet<byte[]> keys;

  @Override
  public void open(Path directory, Safety safety) {
    DB opened =
        DBMaker.fileDB(directory.resolve("keys.db").toFile())
            .fileMmapEnable()
            .cleanerHackEnable()
            .make();
    database = opened;
    keys = opened.treeSet("keys", Serializer.BYTE_ARRAY_DELTA).createOrOpen();
  }

  @Override
  public void begin() {
    // Without the log it has no transactions.
  }

  @Override
  public void put(byte[] key) {
    keys().add(key);
  }

  @Override
  public void commit() {
    Objects.requireNonNull(database).commit();
  }

  @Override
  public boolean contains(byte[] key) {
    return keys().contains(key);
  }

  @Override
  public long scan() {
    long count = 0;
    for (Iterator<byte[]> all = keys().iterator(); all.hasNext(); all.next()) {
      count++;
    }
    return count;
  }

  @Override
  public void close() {
    Objects.requireNonNull(database).close();
  }

  private NavigableSet<byte[]> keys() {
    return Objects.requireNonNull(keys);
  }
}
