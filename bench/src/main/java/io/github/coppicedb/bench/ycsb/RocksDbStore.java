package io.github.coppicedb.bench.ycsb;

import io.github.coppicedb.bench.engine.RocksDbSettings;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/** RocksDB with its log. */
final class RocksDbStore implements RecordStore {
  private final Options options;
  private final WriteOptions writes;
  private final RocksDB database;

  RocksDbStore(Path directory, boolean forced) throws RocksDBException {
    RocksDB.loadLibrary();
    options = RocksDbSettings.options();
    writes = new WriteOptions().setSync(forced);
    database = RocksDB.open(options, directory.toString());
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws RocksDBException {
    return database.get(key);
  }

  @Override
  public void put(byte[] key, byte[] record) throws RocksDBException {
    database.put(writes, key, record);
  }

  @Override
  public boolean change(byte[] key, UnaryOperator<byte[]> change) throws RocksDBException {
    byte[] record = database.get(key);
    if (record != null) {
      database.put(writes, key, change.apply(record));
    }
    return record != null;
  }

  @Override
  public void delete(byte[] key) throws RocksDBException {
    database.delete(writes, key);
  }

  @Override
  public void scan(byte[] from, int count, Consumer<byte[]> sink) {
    try (RocksIterator iterator = database.newIterator()) {
      iterator.seek(from);
      for (int i = 0; i < count && iterator.isValid(); i++) {
        sink.accept(iterator.value());
        iterator.next();
      }
    }
  }

  @Override
  public void close() {
    database.close();
    writes.close();
    options.close();
  }
}
