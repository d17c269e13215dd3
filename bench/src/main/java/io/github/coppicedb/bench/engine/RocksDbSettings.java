package io.github.coppicedb.bench.engine;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;

/**
 * How RocksDB is set in all benchmarks: write buffers of 64 MiB, a bloom filter of 10 bits, a block
 * cache of 1 GiB, LZ4, two background jobs. Stateless.
 */
public final class RocksDbSettings {
  private static final long WRITE_BUFFER = 64L << 20;
  private static final int WRITE_BUFFERS = 4;
  private static final long BLOCK_CACHE = 1L << 30;
  private static final double FILTER_BITS = 10;

  private RocksDbSettings() {}

  /** Returns new options, which the caller closes. */
  public static Options options() {
    BlockBasedTableConfig tables =
        new BlockBasedTableConfig()
            .setFilterPolicy(new BloomFilter(FILTER_BITS))
            .setBlockCache(new LRUCache(BLOCK_CACHE));
    return new Options()
        .setCreateIfMissing(true)
        .setWriteBufferSize(WRITE_BUFFER)
        .setMaxWriteBufferNumber(WRITE_BUFFERS)
        .setMaxBackgroundJobs(2)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setTableFormatConfig(tables);
  }
}
