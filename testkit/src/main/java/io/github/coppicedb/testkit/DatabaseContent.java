package io.github.coppicedb.testkit;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.Database;
import io.github.coppicedb.ReadView;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Reads all that a database holds, to compare it with a model. */
public final class DatabaseContent {
  private DatabaseContent() {}

  /** Returns all tables as they are now. */
  public static ModelState of(Database database) {
    ModelState state = ModelState.EMPTY;
    int number = 1;
    try (Snapshot snapshot = database.snapshot()) {
      for (String name : database.tables()) {
        Table table = database.findTable(name).orElseThrow();
        state = state.withTable(name, number, of(snapshot, table));
        number++;
      }
    }
    return state;
  }

  /** Returns the content of one table, by a walk in order. */
  public static NavigableMap<byte[], byte[]> of(ReadView view, Table table) {
    NavigableMap<byte[], byte[]> content = new TreeMap<>(Arrays::compareUnsigned);
    try (Cursor cursor = view.cursor(table)) {
      byte[] last = null;
      while (cursor.next()) {
        byte[] key = cursor.key();
        if (last != null && Arrays.compareUnsigned(last, key) >= 0) {
          throw new HistoryFailure(
              "key %s came after %s".formatted(Blob.brief(key), Blob.brief(last)));
        }
        content.put(key, cursor.value());
        last = key;
      }
    }
    return content;
  }
}
