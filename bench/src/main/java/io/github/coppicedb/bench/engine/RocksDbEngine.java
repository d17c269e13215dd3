package io.github.coppicedb.bench.engine;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.FlushOptions;
import org.rocksdb.MemTableConfig;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SkipListMemTableConfig;
import org.rocksdb.VectorMemTableConfig;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB for a load: with {@link RocksDbSettings}, no log, puts handed over in batches. A forced
 * commit flushes the write buffers and forces the files. Its vector as a write buffer takes puts
 * fastest, as it sorts only when it is flushed, but finds nothing fast; so it is not for gets
 * between puts.
 */
final class RocksDbEngine implements Engine {
  private static final byte[] NO_VALUE = {};
  private static final int BATCH = 256;

  private final boolean isVector;
  private final WriteBatch batch;
  private Safety safety = Safety.FORCED;
  private @Nullable Options options;
  private @Nullable WriteOptions writes;
  private @Nullable RocksDB database;

  private RocksDbEngine(boolean isVector) {
    RocksDB.loadLibrary();
    this.isVector = isVector;
    this.batch = new WriteBatch();
  }

  /** Makes one whose write buffers are vectors. */
  static RocksDbEngine withVectors() {
    return new RocksDbEngine(true);
  }

  /** Makes one whose write buffers are skip lists, as by default. */
  static RocksDbEngine withSkipLists() {
    return new RocksDbEngine(false);
  }

  @Override
  public void open(Path directory, Safety wanted) throws RocksDBException {
    safety = wanted;
    MemTableConfig buffers = isVector ? new VectorMemTableConfig() : new SkipListMemTableConfig();
    options =
        RocksDbSettings.options().setMemTableConfig(buffers).setAllowConcurrentMemtableWrite(false);
    writes = new WriteOptions().setDisableWAL(true);
    database = RocksDB.open(options, directory.toString());
  }

  @Override
  public void begin() {
    // There is always a batch.
  }

  @Override
  public void put(byte[] key) throws RocksDBException {
    batch.put(key, NO_VALUE);
    if (batch.count() >= BATCH) {
      endPuts();
    }
  }

  @Override
  public void endPuts() throws RocksDBException {
    database().write(Objects.requireNonNull(writes), batch);
    batch.clear();
  }

  @Override
  public void commit() throws RocksDBException {
    endPuts();
    if (safety == Safety.FORCED) {
      drainBuffers();
    }
  }

  private void drainBuffers() throws RocksDBException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      database().flush(flush);
    }
  }

  @Override
  public void drain() throws RocksDBException {
    drainBuffers();
    database().compactRange();
  }

  @Override
  public boolean contains(byte[] key) throws RocksDBException {
    if (batch.count() > 0) {
      endPuts();
    }
    return database().get(key) != null;
  }

  @Override
  public long scan() {
    long count = 0;
    try (RocksIterator iterator = database().newIterator()) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        count += iterator.key().length > 0 ? 1 : 0;
      }
    }
    return count;
  }

  @Override
  public Lookups lookups() {
    return key -> database().get(key) != null;
  }

  @Override
  public void close() {
    database().close();
    Objects.requireNonNull(writes).close();
    Objects.requireNonNull(options).close();
  }

  private RocksDB database() {
    return Objects.requireNonNull(database);
  }
}
