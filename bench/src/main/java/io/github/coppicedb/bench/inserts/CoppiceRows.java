package io.github.coppicedb.bench.inserts;

import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.Durability;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Coppice: a batch is a transaction. */
final class CoppiceRows implements RowStore {
  private final Database database;
  private final Table table;
  private @Nullable WriteTransaction batch;
  private @Nullable Snapshot snapshot;

  CoppiceRows(Path directory) {
    database =
        Database.open(
            directory, DatabaseOptions.defaults().withDurability(Durability.PROCESS_SAFE));
    table = database.table("rows");
  }

  @Override
  public void put(byte[] key, byte[] row) {
    WriteTransaction transaction = batch;
    if (transaction == null) {
      transaction = database.beginWrite();
      batch = transaction;
      letGo();
    }
    transaction.put(table, key, row);
  }

  @Override
  public void commit() {
    if (batch != null) {
      batch.commit();
      batch = null;
    }
  }

  @Override
  public void sync() {
    database.sync();
  }

  @Override
  public void drain() {
    database.drain();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    Snapshot now = snapshot;
    if (now == null) {
      now = database.snapshot();
      snapshot = now;
    }
    return now.get(table, key);
  }

  private void letGo() {
    if (snapshot != null) {
      snapshot.close();
      snapshot = null;
    }
  }

  @Override
  public void close() {
    letGo();
    database.close();
  }
}
