package io.github.coppicedb.engine;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tx.KeySpace;
import io.github.coppicedb.tx.RangeCursor;
import io.github.coppicedb.tx.Transaction;
import io.github.coppicedb.tx.View;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * Which tables there are. The catalog is a table itself, number 0, so that making and dropping
 * tables is atomic and durable like any commit: the byte 'n' and a name give the table's number,
 * the byte 'c' alone the number of the next table. Numbers are never given twice. Stateless.
 */
public final class Catalog {
  private static final int TABLE = 0;
  private static final byte NAME = 'n';
  private static final byte COUNTER = 'c';

  private Catalog() {}

  /** Returns the number of a table, if there is one of that name. */
  public static OptionalInt find(View view, String name) {
    return number(view, nameKey(name));
  }

  /** Makes a table and returns its number. */
  public static int create(Transaction transaction, String name) {
    byte[] counter = KeySpace.of(TABLE).key(new byte[] {COUNTER});
    int number = number(transaction, counter).orElse(TABLE + 1);
    put(transaction, counter, number + 1);
    put(transaction, nameKey(name), number);
    return number;
  }

  /** Removes a table and all its keys. */
  public static void drop(Transaction transaction, String name, int number) {
    byte[] key = nameKey(name);
    transaction.delete(key, key.length);
    KeySpace keys = KeySpace.of(number);
    transaction.deleteRange(keys.low(), keys.high());
  }

  /** Returns the names of all tables, in the order of their bytes. */
  public static List<String> names(View view) {
    List<String> names = new ArrayList<>();
    byte[] low = nameKey("");
    byte[] high = KeySpace.of(TABLE).key(new byte[] {NAME + 1});
    RangeCursor cursor = new RangeCursor(view, low, high);
    while (cursor.next()) {
      byte[] name = Arrays.copyOfRange(cursor.key(), low.length, cursor.keyLength());
      names.add(new String(name, StandardCharsets.UTF_8));
    }
    return names;
  }

  private static byte[] nameKey(String name) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    byte[] key = new byte[utf8.length + 1];
    key[0] = NAME;
    System.arraycopy(utf8, 0, key, 1, utf8.length);
    return KeySpace.of(TABLE).key(key);
  }

  private static OptionalInt number(View view, byte[] key) {
    EntryValue value = new EntryValue();
    if (!view.find(key, key.length, value)) {
      return OptionalInt.empty();
    }
    byte[] bytes = value.copy();
    if (bytes.length != KeySpace.PREFIX_BYTES) {
      throw new CorruptionException(
          "catalog", 0, KeySpace.PREFIX_BYTES + " bytes", bytes.length + " bytes");
    }
    return OptionalInt.of(KeySpace.tableOf(bytes));
  }

  private static void put(Transaction transaction, byte[] key, int number) {
    byte[] value = KeySpace.of(number).low();
    transaction.put(key, key.length, MemorySegment.ofArray(value));
  }
}
