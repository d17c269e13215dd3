package io.github.coppicedb.verify;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import io.github.coppicedb.testkit.Segments;

/** Writes one table in one transaction, by arrays or by segments. */
record Writer(WriteTransaction transaction, Table table, Form form) {
  private static final byte[] NOTHING = {};

  /** Puts an empty value. */
  void put(byte[] key) {
    put(key, NOTHING);
  }

  /** Puts a value. */
  void put(byte[] key, byte[] value) {
    if (form == Form.ARRAYS) {
      transaction.put(table, key, value);
    } else {
      transaction.put(table, Segments.of(key, key.length), Segments.of(value, key.length + 1));
    }
  }

  /** Puts texts with empty values. */
  void putTexts(String... texts) {
    for (String text : texts) {
      put(Keys.text(text));
    }
  }

  /** Deletes a key. */
  void delete(byte[] key) {
    if (form == Form.ARRAYS) {
      transaction.delete(table, key);
    } else {
      transaction.delete(table, Segments.of(key, key.length));
    }
  }

  /** Deletes the key that a cursor is at, by the very object that the cursor returned. */
  void deleteKeyOf(Cursor cursor) {
    if (form == Form.ARRAYS) {
      transaction.delete(table, cursor.key());
    } else {
      transaction.delete(table, cursor.keySegment());
    }
  }

  /** Deletes a range. */
  void deleteRange(KeyRange range) {
    transaction.deleteRange(table, range);
  }

  /** Returns what the transaction reads. */
  Reader reader() {
    return new Reader(transaction, table);
  }
}
