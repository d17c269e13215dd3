package io.github.coppicedb.bench.engine;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.Durability;
import io.github.coppicedb.ReadView;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Coppice with its default options. */
final class CoppiceEngine implements Engine {
  private static final byte[] NO_VALUE = {};

  private @Nullable Database database;
  private @Nullable Table table;
  private @Nullable WriteTransaction transaction;
  private @Nullable Snapshot snapshot;

  @Override
  public void open(Path directory, Safety safety) {
    Durability durability =
        safety == Safety.FORCED ? Durability.POWER_SAFE : Durability.RECENT_COMMITS_AT_RISK;
    database = Database.open(directory, DatabaseOptions.defaults().withDurability(durability));
    table = database.table("keys");
  }

  @Override
  public void begin() {
    letGo();
    transaction = database().beginWrite();
  }

  @Override
  public void put(byte[] key) {
    Objects.requireNonNull(transaction).put(Objects.requireNonNull(table), key, NO_VALUE);
  }

  @Override
  public void commit() {
    Objects.requireNonNull(transaction).commit();
    transaction = null;
  }

  @Override
  public void drain() {
    database().drain();
  }

  @Override
  public boolean contains(byte[] key) {
    return view().contains(Objects.requireNonNull(table), key);
  }

  @Override
  public long scan() {
    long count = 0;
    try (Cursor cursor = view().cursor(Objects.requireNonNull(table))) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Override
  public Lookups lookups() {
    return new SnapshotLookups(database());
  }

  @Override
  public void close() {
    letGo();
    database().close();
  }

  private Database database() {
    return Objects.requireNonNull(database);
  }

  private ReadView view() {
    if (transaction != null) {
      return transaction;
    }
    if (snapshot == null) {
      snapshot = database().snapshot();
    }
    return snapshot;
  }

  private void letGo() {
    if (snapshot != null) {
      snapshot.close();
      snapshot = null;
    }
  }

  /** A snapshot after the other. */
  private static final class SnapshotLookups implements Lookups {
    private final Database database;
    private final Table table;
    private Snapshot now;

    SnapshotLookups(Database database) {
      this.database = database;
      this.table = database.table("keys");
      this.now = database.snapshot();
    }

    @Override
    public boolean contains(byte[] key) {
      return now.contains(table, key);
    }

    @Override
    public void renew() {
      now.close();
      now = database.snapshot();
    }

    @Override
    public void close() {
      now.close();
    }
  }
}
