package io.github.coppicedb.verify;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.Database;
import io.github.coppicedb.ReadView;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** Accounts in two tables, whose sum no transfer changes. */
record Bank(Database database, Table first, Table second) {
  private static final int ACCOUNTS = 1000;
  private static final long MONEY = 100;

  /** What all accounts together hold, always. */
  static final long SUM = ACCOUNTS * MONEY;

  /** Opens the accounts, or founds them in one transaction. */
  static Bank of(Database database) {
    Bank bank = new Bank(database, database.table("first"), database.table("second"));
    database.write(bank::found);
    return bank;
  }

  private void found(WriteTransaction tx) {
    for (int account = 0; account < ACCOUNTS; account++) {
      tx.putIfAbsent(tableOf(account), Keys.number(account), bytes(MONEY));
    }
  }

  /** Moves some money between two accounts; runs again on conflicts. */
  void transfer(RandomGenerator random) {
    int from = random.nextInt(ACCOUNTS);
    int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
    long amount = random.nextInt(50);
    database.write(
        tx -> {
          add(tx, from, -amount);
          add(tx, to, amount);
        });
  }

  private void add(WriteTransaction tx, int account, long amount) {
    byte[] key = Keys.number(account);
    byte[] old = Objects.requireNonNull(tx.get(tableOf(account), key));
    tx.put(tableOf(account), key, bytes(ByteBuffer.wrap(old).getLong() + amount));
  }

  /** Returns what the accounts hold in a snapshot. */
  long sum() {
    return database.read(view -> sum(view, first) + sum(view, second));
  }

  private static long sum(ReadView view, Table table) {
    long sum = 0;
    try (Cursor cursor = view.cursor(table)) {
      while (cursor.next()) {
        sum += ByteBuffer.wrap(cursor.value()).getLong();
      }
    }
    return sum;
  }

  private Table tableOf(int account) {
    return account % 2 == 0 ? first : second;
  }

  private static byte[] bytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }
}
