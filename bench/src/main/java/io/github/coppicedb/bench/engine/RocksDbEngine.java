package io.github.coppicedb.bench.engine;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/**
 * RocksDB for a load: no log, write buffers of 64 MiB, a bloom filter of 10 bits, a block cache of
 * 256 MiB, LZ4, two background jobs. A commit flushes the write buffers and forces the files.
 */
final class RocksDbEngine implements Engine {
  private static final byte[] NO_VALUE = {};
  private static final long WRITE_BUFFER = 64L << 20;
  private static final int WRITE_BUFFERS = 4;
  private static final long BLOCK_CACHE = 256L << 20;
  private static final double FILTER_BITS = 10;

  private @Nullable Options options;
  private @Nullable WriteOptions writes;
  private @Nullable RocksDB database;

  @Override
  public void open(Path directory, Safety safety) throws RocksDBException {
    RocksDB.loadLibrary();
    BlockBasedTableConfig tables =
        new BlockBasedTableConfig()
            .setFilterPolicy(new BloomFilter(FILTER_BITS))
            .setBlockCache(new LRUCache(BLOCK_CACHE));
    options =
        new Options()
            .setCreateIfMissing(true)
            .setWriteBufferSize(WRITE_BUFFER)
            .setMaxWriteBufferNumber(WRITE_BUFFERS)
            .setMaxBackgroundJobs(2)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setTableFormatConfig(tables);
    writes = new WriteOptions().setDisableWAL(true);
    database = RocksDB.open(options, directory.toString());
  }

  @Override
  public void begin() {
    // Puts are written one by one; without a log that costs least.
  }

  @Override
  public void put(byte[] key) throws RocksDBException {
    database().put(Objects.requireNonNull(writes), key, NO_VALUE);
  }

  @Override
  public void commit() throws RocksDBException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      database().flush(flush);
    }
  }

  @Override
  public void drain() throws RocksDBException {
    database().compactRange();
  }

  @Override
  public boolean contains(byte[] key) throws RocksDBException {
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
    return this::contains;
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
