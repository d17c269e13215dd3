package io.github.coppicedb.verify;

import io.github.coppicedb.Database;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import java.nio.file.Path;

/** Puts many keys in one transaction. Arguments: directory, number of keys, commit or rollback. */
final class BigTransactionMain {
  private static final byte[] NOTHING = {};
  private static final int SPREAD = 0x9E37_79B1;

  private BigTransactionMain() {}

  public static void main(String[] arguments) {
    int keys = Integer.parseInt(arguments[1]);
    try (Database database = Database.open(Path.of(arguments[0]))) {
      Table table = database.table("t");
      try (WriteTransaction transaction = database.beginWrite()) {
        put(transaction, table, keys);
        if (arguments[2].equals("commit")) {
          transaction.commit();
        } else {
          transaction.rollback();
        }
      }
      long count = database.read(snapshot -> snapshot.count(table, KeyRange.all()));
      System.out.println(count);
    }
  }

  /** Puts keys in no order; each once. */
  static void put(WriteTransaction transaction, Table table, int keys) {
    for (int i = 0; i < keys; i++) {
      transaction.put(table, key(i), NOTHING);
    }
  }

  static byte[] key(int index) {
    return Keys.number(index * SPREAD);
  }
}
