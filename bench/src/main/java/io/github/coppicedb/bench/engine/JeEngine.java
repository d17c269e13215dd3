package io.github.coppicedb.bench.engine;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.Get;
import com.sleepycat.je.Put;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Berkeley DB Java Edition: key prefixing, deferred writes, as a transaction would hold a lock a
 * key; a commit writes what was deferred and forces it.
 */
final class JeEngine implements Engine {
  private @Nullable Environment environment;
  private @Nullable Database database;

  @Override
  public void open(Path directory, Safety safety) {
    EnvironmentConfig settings = new EnvironmentConfig();
    settings.setAllowCreate(true);
    settings.setConfigParam(EnvironmentConfig.ENV_RUN_CLEANER, "false");
    Environment opened = new Environment(directory.toFile(), settings);
    DatabaseConfig table = new DatabaseConfig();
    table.setAllowCreate(true);
    table.setKeyPrefixing(true);
    table.setDeferredWrite(true);
    environment = opened;
    database = opened.openDatabase(null, "keys", table);
  }

  @Override
  public void begin() {
    // Deferred writes have no transactions.
  }

  @Override
  public void put(byte[] key) {
    DatabaseEntry noValue = new DatabaseEntry(new byte[0]);
    if (database().put(null, new DatabaseEntry(key), noValue, Put.OVERWRITE, null) == null) {
      throw new IllegalStateException("a put was refused");
    }
  }

  @Override
  public void commit() {
    database().sync();
    Objects.requireNonNull(environment).flushLog(true);
  }

  @Override
  public boolean contains(byte[] key) {
    return database().get(null, new DatabaseEntry(key), null, Get.SEARCH, null) != null;
  }

  @Override
  public long scan() {
    long count = 0;
    DatabaseEntry key = new DatabaseEntry();
    try (Cursor cursor = database().openCursor(null, null)) {
      while (cursor.get(key, null, Get.NEXT, null) != null) {
        count++;
      }
    }
    return count;
  }

  @Override
  public void close() {
    database().close();
    Objects.requireNonNull(environment).close();
  }

  private Database database() {
    return Objects.requireNonNull(database);
  }
}
