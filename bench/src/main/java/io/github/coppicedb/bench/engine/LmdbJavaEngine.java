package io.github.coppicedb.bench.engine;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.CursorIterable;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Txn;

/** LMDB through lmdbjava, with MDB_NOSYNC and MDB_WRITEMAP, forced after the commit. */
final class LmdbJavaEngine implements Engine {
  private static final long MAP_SIZE = 16L << 30;
  private static final int MOST_KEY_BYTES = 511;

  private final ByteBuffer keyBuffer = ByteBuffer.allocateDirect(MOST_KEY_BYTES);
  private final ByteBuffer noValue = ByteBuffer.allocateDirect(0);
  private Safety safety = Safety.FORCED;
  private @Nullable Env<ByteBuffer> env;
  private @Nullable Dbi<ByteBuffer> keys;
  private @Nullable Txn<ByteBuffer> transaction;
  private long pageBytes;

  @Override
  public void open(Path directory, Safety wanted) {
    safety = wanted;
    Env<ByteBuffer> opened =
        Env.create()
            .setMapSize(MAP_SIZE)
            .open(directory.toFile(), EnvFlags.MDB_NOSYNC, EnvFlags.MDB_WRITEMAP);
    env = opened;
    keys = opened.openDbi((byte[]) null, DbiFlags.MDB_CREATE);
  }

  @Override
  public void begin() {
    letGo();
    transaction = env().txnWrite();
  }

  @Override
  public void put(byte[] key) {
    keys().put(Objects.requireNonNull(transaction), buffer(key), noValue);
  }

  @Override
  public void commit() {
    Objects.requireNonNull(transaction).commit();
    letGo();
    if (safety == Safety.FORCED) {
      env().sync(true);
    }
  }

  @Override
  public boolean contains(byte[] key) {
    return keys().get(view(), buffer(key)) != null;
  }

  @Override
  public long scan() {
    long count = 0;
    try (CursorIterable<ByteBuffer> all = keys().iterate(view())) {
      for (CursorIterable.KeyVal<ByteBuffer> entry : all) {
        count += entry.key().remaining() > 0 ? 1 : 0;
      }
    }
    return count;
  }

  @Override
  public void close() {
    letGo();
    // The file is as long as the map; what it holds is told by its last page.
    pageBytes = (env().info().lastPageNumber + 1) * (long) env().stat().pageSize;
    env().close();
  }

  @Override
  public long diskBytes(Path directory) {
    return pageBytes;
  }

  private ByteBuffer buffer(byte[] key) {
    return keyBuffer.clear().put(key).flip();
  }

  private Txn<ByteBuffer> view() {
    if (transaction == null) {
      transaction = env().txnRead();
    }
    return transaction;
  }

  private void letGo() {
    if (transaction != null) {
      transaction.close();
      transaction = null;
    }
  }

  private Env<ByteBuffer> env() {
    return Objects.requireNonNull(env);
  }

  private Dbi<ByteBuffer> keys() {
    return Objects.requireNonNull(keys);
  }
}
