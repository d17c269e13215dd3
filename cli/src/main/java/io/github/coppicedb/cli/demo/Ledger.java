package io.github.coppicedb.cli.demo;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.Database;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.ReadView;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The table that the killed process writes: numbered batches of numbered rows, one transaction a
 * batch, so that afterwards anybody can tell what should be in it.
 */
final class Ledger {
  static final int ROWS = 100;

  private static final String NAME = "ledger";

  private Ledger() {}

  static Table table(Database database) {
    return database.table(NAME);
  }

  /** Puts all rows of a batch; numbers begin at 1. */
  static void put(WriteTransaction transaction, Table table, long batch) {
    for (int row = 0; row < ROWS; row++) {
      transaction.put(table, key(batch, row), value(batch));
    }
  }

  /**
   * Counts the batches.
   *
   * @return how many there are, all rows as they were put and nothing else in the table; null when
   *     it is otherwise
   */
  static @Nullable Long wholeBatches(ReadView view, Table table) {
    long rows = 0;
    try (Cursor cursor = view.cursor(table, KeyRange.all())) {
      while (cursor.next()) {
        long batch = 1 + rows / ROWS;
        int row = (int) (rows % ROWS);
        if (!Arrays.equals(cursor.key(), key(batch, row))
            || !Arrays.equals(cursor.value(), value(batch))) {
          return null;
        }
        rows++;
      }
    }
    return rows % ROWS == 0 ? rows / ROWS : null;
  }

  private static byte[] key(long batch, int row) {
    return "%010d/%03d".formatted(batch, row).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] value(long batch) {
    return "row of batch %d".formatted(batch).getBytes(StandardCharsets.US_ASCII);
  }
}
