package io.github.coppicedb.bench.engine;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** SQLite: a table of one blob WITHOUT ROWID, prepared statements, a page cache of 1 GiB. */
final class SqliteEngine implements Engine {
  private @Nullable Connection connection;
  private @Nullable PreparedStatement insert;
  private @Nullable PreparedStatement select;

  @Override
  public void open(Path directory, Safety safety) throws SQLException {
    Connection opened =
        DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("keys.sqlite"));
    connection = opened;
    run("PRAGMA synchronous = " + (safety == Safety.FORCED ? "FULL" : "OFF"));
    run("PRAGMA locking_mode = EXCLUSIVE");
    run("PRAGMA cache_size = -1048576");
    run("CREATE TABLE IF NOT EXISTS keys (k BLOB PRIMARY KEY) WITHOUT ROWID");
    // Reads, too, are in a transaction: else each would take the locks of the file.
    opened.setAutoCommit(false);
    insert = opened.prepareStatement("INSERT OR REPLACE INTO keys VALUES (?)");
    select = opened.prepareStatement("SELECT 1 FROM keys WHERE k = ?");
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = Objects.requireNonNull(connection).createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void begin() {
    // The driver begins one with the first statement.
  }

  @Override
  public void put(byte[] key) throws SQLException {
    PreparedStatement statement = Objects.requireNonNull(insert);
    statement.setBytes(1, key);
    statement.executeUpdate();
  }

  @Override
  public void commit() throws SQLException {
    Objects.requireNonNull(connection).commit();
  }

  @Override
  public boolean contains(byte[] key) throws SQLException {
    PreparedStatement statement = Objects.requireNonNull(select);
    statement.setBytes(1, key);
    try (ResultSet row = statement.executeQuery()) {
      return row.next();
    }
  }

  @Override
  public long scan() throws SQLException {
    long count = 0;
    try (Statement statement = Objects.requireNonNull(connection).createStatement();
        ResultSet rows = statement.executeQuery("SELECT k FROM keys ORDER BY k")) {
      while (rows.next()) {
        count += rows.getBytes(1).length > 0 ? 1 : 0;
      }
    }
    return count;
  }

  @Override
  public void close() throws SQLException {
    Objects.requireNonNull(insert).close();
    Objects.requireNonNull(select).close();
    Objects.requireNonNull(connection).close();
  }
}
