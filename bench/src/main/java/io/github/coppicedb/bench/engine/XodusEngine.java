package io.github.coppicedb.bench.engine;

import java.nio.file.Path;
import java.util.Objects;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.EnvironmentImpl;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;
import jetbrains.exodus.env.Transaction;
import org.jspecify.annotations.Nullable;

/** Xodus with a store that shares prefixes (its Patricia tree), without its cleaner. */
final class XodusEngine implements Engine {
  private Safety safety = Safety.FORCED;
  private @Nullable Environment environment;
  private @Nullable Store store;
  private @Nullable Transaction transaction;

  @Override
  public void open(Path directory, Safety wanted) {
    safety = wanted;
    Environment opened =
        Environments.newInstance(
            directory.toString(),
            new EnvironmentConfig().setGcEnabled(false).setLogDurableWrite(false));
    environment = opened;
    store =
        opened.computeInTransaction(
            change ->
                opened.openStore("keys", StoreConfig.WITHOUT_DUPLICATES_WITH_PREFIXING, change));
  }

  @Override
  public void begin() {
    letGo();
    transaction = environment().beginTransaction();
  }

  @Override
  public void put(byte[] key) {
    boolean isNew =
        Objects.requireNonNull(store)
            .put(
                Objects.requireNonNull(transaction),
                new ArrayByteIterable(key),
                ByteIterable.EMPTY);
    assert isNew;
  }

  @Override
  public void commit() {
    if (!Objects.requireNonNull(transaction).commit()) {
      throw new IllegalStateException("the commit was refused");
    }
    transaction = null;
    if (safety == Safety.FORCED) {
      ((EnvironmentImpl) environment()).flushAndSync();
    }
  }

  @Override
  public boolean contains(byte[] key) {
    return Objects.requireNonNull(store).get(view(), new ArrayByteIterable(key)) != null;
  }

  @Override
  public long scan() {
    long count = 0;
    try (Cursor cursor = Objects.requireNonNull(store).openCursor(view())) {
      while (cursor.getNext()) {
        count += cursor.getKey().getLength() > 0 ? 1 : 0;
      }
    }
    return count;
  }

  @Override
  public void close() {
    letGo();
    environment().close();
  }

  private Transaction view() {
    if (transaction == null) {
      transaction = environment().beginReadonlyTransaction();
    }
    return transaction;
  }

  private void letGo() {
    if (transaction != null) {
      transaction.abort();
      transaction = null;
    }
  }

  private Environment environment() {
    return Objects.requireNonNull(environment);
  }
}
