package io.github.coppicedb.bench.engine;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;
import org.jspecify.annotations.Nullable;

/** The store of H2, in a file, with a data type for byte arrays in unsigned order. */
final class MvStoreEngine implements Engine {
  private static final byte[] NO_VALUE = {};
  private static final int CACHE_MEGABYTES = 1024;

  private @Nullable MVStore store;
  private @Nullable MVMap<byte[], byte[]> map;

  @Override
  public void open(Path directory, Safety safety) {
    MVStore opened =
        new MVStore.Builder()
            .fileName(directory.resolve("keys.mv").toString())
            .autoCommitDisabled()
            // Else it writes while puts go on, and pages that are old soon: the file becomes 8
            // times
            // as large.
            .autoCommitBufferSize(0)
            .cacheSize(CACHE_MEGABYTES)
            .open();
    MVMap.Builder<byte[], byte[]> types = new MVMap.Builder<>();
    store = opened;
    map = opened.openMap("keys", types.keyType(new KeyType()).valueType(new KeyType()));
  }

  @Override
  public void begin() {
    // Changes gather until the next commit.
  }

  @Override
  public void put(byte[] key) {
    map().put(key, NO_VALUE);
  }

  @Override
  public void commit() {
    MVStore changed = Objects.requireNonNull(store);
    changed.commit();
    changed.sync();
  }

  @Override
  public boolean contains(byte[] key) {
    return map().containsKey(key);
  }

  @Override
  public long scan() {
    long count = 0;
    for (Iterator<byte[]> keys = map().keyIterator(null); keys.hasNext(); keys.next()) {
      count++;
    }
    return count;
  }

  @Override
  public Lookups lookups() {
    return this::contains;
  }

  @Override
  public void close() {
    Objects.requireNonNull(store).close();
  }

  private MVMap<byte[], byte[]> map() {
    return Objects.requireNonNull(map);
  }

  /** Byte arrays by their unsigned bytes; a length and the bytes in the file. */
  private static final class KeyType extends BasicDataType<byte[]> {
    private static final int OVERHEAD = 24;

    @Override
    public int getMemory(byte[] key) {
      return key.length + OVERHEAD;
    }

    @Override
    public int compare(byte[] a, byte[] b) {
      return Arrays.compareUnsigned(a, b);
    }

    @Override
    public void write(WriteBuffer to, byte[] key) {
      to.putVarInt(key.length).put(key);
    }

    @Override
    public byte[] read(ByteBuffer from) {
      byte[] key = new byte[DataUtils.readVarInt(from)];
      from.get(key);
      return key;
    }

    @Override
    public byte[][] createStorage(int size) {
      return new byte[size][];
    }
  }
}
