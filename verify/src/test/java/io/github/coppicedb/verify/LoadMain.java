package io.github.coppicedb.verify;

import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.Table;
import java.nio.file.Path;

/**
 * Loads batches of {@link #BATCH} keys for ever and reports the number of batches after each
 * commit. Arguments: directory, number of batches that are there.
 */
final class LoadMain {
  /** Keys of a batch. */
  static final int BATCH = 1000;

  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  private LoadMain() {}

  public static void main(String[] arguments) {
    int batch = Integer.parseInt(arguments[1]);
    DatabaseOptions options = DatabaseOptions.defaults().withMemoryBudget(4 << 20);
    try (Database database = Database.open(Path.of(arguments[0]), options)) {
      Table table = database.table("t");
      while (true) {
        int current = batch;
        database.write(
            tx -> {
              for (int i = 0; i < BATCH; i++) {
                tx.put(table, key(current, i), Keys.number(current));
              }
            });
        batch++;
        System.out.println(batch);
      }
    }
  }

  /** Returns a key of a batch; the batches lie among each other all over the key space. */
  static byte[] key(int batch, int index) {
    long mixed = ((long) batch * BATCH + index) * SPREAD;
    return Keys.text("%016x-some-words-that-make-keys-as-long-as-paths".formatted(mixed));
  }
}
