package io.github.coppicedb.verify;

import io.github.coppicedb.Database;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * Puts a file as one value and reads it back without a copy of it in the heap. Prints "same" or the
 * first place that differs. Arguments: directory, file.
 */
final class LargeValueMain {
  private LargeValueMain() {}

  public static void main(String[] arguments) throws IOException {
    MemorySegment key = MemorySegment.ofArray(Keys.text("k"));
    try (Arena arena = Arena.ofConfined();
        FileChannel file = FileChannel.open(Path.of(arguments[1]), StandardOpenOption.READ)) {
      MemorySegment value = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size(), arena);
      try (Database database = Database.open(Path.of(arguments[0]))) {
        Table table = database.table("t");
        database.write(tx -> tx.put(table, key, value));
        compare(database, table, key, value);
        database.drain();
        compare(database, table, key, value);
      }
      try (Database database = Database.open(Path.of(arguments[0]))) {
        compare(database, database.table("t"), key, value);
        database.check();
      }
    }
  }

  private static void compare(
      Database database, Table table, MemorySegment key, MemorySegment value) {
    try (Snapshot snapshot = database.snapshot()) {
      MemorySegment found = Objects.requireNonNull(snapshot.getSegment(table, key));
      long difference = value.mismatch(found);
      System.out.println(difference < 0 ? "same" : "differs at " + difference);
    }
  }
}
