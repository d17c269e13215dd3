package io.github.coppicedb.cli;

import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseException;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.Numbers;
import io.github.coppicedb.cli.io.OutputClosedException;
import io.github.coppicedb.cli.io.Progress;
import java.io.IOException;
import java.util.function.LongConsumer;

/** Stores rows in transactions of so many rows each. For one thread. */
final class Loader {
  private static final int PROGRESS_MASK = 0xFFF;

  private final Database database;
  private final Table table;
  private final long batchRows;
  private final LongConsumer acknowledge;
  private long rows;
  private long commits;

  /**
   * Stores in a table.
   *
   * @param acknowledge told the number of rows so far after each commit
   */
  Loader(Database database, Table table, long batchRows, LongConsumer acknowledge) {
    this.database = database;
    this.table = table;
    this.batchRows = batchRows;
    this.acknowledge = acknowledge;
  }

  /** Returns how many rows are committed. */
  long rows() {
    return rows;
  }

  /** Returns how many transactions are committed. */
  long commits() {
    return commits;
  }

  /**
   * Stores all rows.
   *
   * @param inputBytes size of the whole input, to tell how long it takes, or 0 when not known
   * @throws CommandException naming what stays stored, when a row is bad or a commit fails
   */
  void load(RowReader input, Progress progress, long inputBytes) throws IOException {
    try {
      while (loadBatch(input, progress, inputBytes)) {
        acknowledge.accept(rows);
      }
    } catch (CommandException | DatabaseException | OutputClosedException e) {
      String stored =
          rows == 0
              ? "nothing was stored"
              : "the first %s rows stay stored".formatted(Numbers.count(rows));
      throw CommandException.failure("%s; %s".formatted(e.getMessage(), stored), e);
    }
  }

  /** Commits up to a batch of rows; returns false when there was none left. */
  private boolean loadBatch(RowReader input, Progress progress, long inputBytes)
      throws IOException {
    try (WriteTransaction transaction = database.beginWrite()) {
      long batch = 0;
      while (batch < batchRows && input.next()) {
        transaction.put(table, input.key(), input.value());
        batch++;
        if (((rows + batch) & PROGRESS_MASK) == 0) {
          progress.at(rows + batch);
          progress.expect(expectedRows(rows + batch, input.bytesConsumed(), inputBytes));
        }
      }
      if (batch == 0) {
        return false;
      }
      progress.say("commit");
      transaction.commit();
      rows += batch;
      commits++;
      return true;
    }
  }

  /** Takes the rows to come for as long as those before; -1 when the input has no known end. */
  private static long expectedRows(long done, long consumedBytes, long inputBytes) {
    if (inputBytes == 0 || consumedBytes == 0) {
      return -1;
    }
    return Math.max(done, (long) (done * ((double) inputBytes / consumedBytes)));
  }
}
