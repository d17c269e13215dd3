package io.github.coppicedb.bench.inserts;

import io.github.coppicedb.bench.engine.RocksDbSettings;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB, with its log or without. */
final class RocksDbRows implements RowStore {
  private static final long POLL_MILLIS = 2;

  private final boolean hasLog;
  private final Options options;
  private final WriteOptions writes;
  private final RocksDB database;
  private final WriteBatch batch;

  RocksDbRows(Path directory, boolean hasLog) throws RocksDBException {
    RocksDB.loadLibrary();
    this.hasLog = hasLog;
    options = RocksDbSettings.options();
    writes = new WriteOptions().setDisableWAL(!hasLog);
    batch = new WriteBatch();
    database = RocksDB.open(options, directory.toString());
  }

  @Override
  public void put(byte[] key, byte[] row) throws RocksDBException {
    batch.put(key, row);
  }

  @Override
  public void commit() throws RocksDBException {
    database.write(writes, batch);
    batch.clear();
  }

  @Override
  public void sync() throws RocksDBException {
    if (hasLog) {
      database.syncWal();
    } else {
      flush();
    }
  }

  private void flush() throws RocksDBException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      database.flush(flush);
    }
  }

  @Override
  public void drain() throws RocksDBException, InterruptedException {
    flush();
    while (count("rocksdb.compaction-pending") > 0
        || count("rocksdb.num-running-compactions") > 0
        || count("rocksdb.num-running-flushes") > 0) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  private long count(String property) throws RocksDBException {
    return database.getLongProperty(property);
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws RocksDBException {
    return database.get(key);
  }

  @Override
  public void close() {
    batch.close();
    database.close();
    writes.close();
    options.close();
  }
}
