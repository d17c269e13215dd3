package io.github.coppicedb.bench.ycsb;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.Durability;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.Table;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Coppice: each operation in a snapshot or a transaction of its own. */
final class CoppiceStore implements RecordStore {
  private final Database database;
  private final Table table;

  CoppiceStore(Path directory, boolean forced) {
    Durability durability = forced ? Durability.POWER_SAFE : Durability.RECENT_COMMITS_AT_RISK;
    database = Database.open(directory, DatabaseOptions.defaults().withDurability(durability));
    table = database.table(YcsbWorkload.TABLE);
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return database.read(snapshot -> snapshot.get(table, key));
  }

  @Override
  public void put(byte[] key, byte[] record) {
    database.write(tx -> tx.put(table, key, record));
  }

  @Override
  public boolean change(byte[] key, UnaryOperator<byte[]> change) {
    return database.writeReturning(
        tx -> {
          byte[] record = tx.get(table, key);
          if (record != null) {
            tx.put(table, key, change.apply(record));
          }
          return record != null;
        });
  }

  @Override
  public void delete(byte[] key) {
    database.write(tx -> tx.delete(table, key));
  }

  @Override
  public void scan(byte[] from, int count, Consumer<byte[]> sink) {
    database.read(
        snapshot -> {
          try (Cursor cursor = snapshot.cursor(table, KeyRange.atLeast(from))) {
            for (int i = 0; i < count && cursor.next(); i++) {
              sink.accept(cursor.value());
            }
          }
          return count;
        });
  }

  @Override
  public void close() {
    database.close();
  }
}
