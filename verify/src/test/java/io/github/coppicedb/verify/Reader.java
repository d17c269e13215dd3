package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.ReadView;
import io.github.coppicedb.Table;
import io.github.coppicedb.testkit.Segments;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one table through one view, each answer asked for in all its forms: a get also by segment
 * and by contains, a range also backwards and reversed.
 */
record Reader(ReadView view, Table table) {
  /** Returns a value, or null. */
  byte @Nullable [] get(byte[] key) {
    byte[] value = view.get(table, key);
    assertArrayEquals(value, view.get(table, Segments.of(key, 1)));
    assertArrayEquals(value, Segments.bytes(view.getSegment(table, Segments.of(key, 2))));
    assertEquals(value != null, view.contains(table, key));
    return value;
  }

  /** Fails unless a key has the value. */
  void assertValue(byte[] value, byte[] key) {
    byte[] found = get(key);
    assertNotNull(found, () -> "no key " + Keys.shown(key));
    assertArrayEquals(value, found);
  }

  /** Fails if a key is there. */
  void assertAbsent(byte[] key) {
    assertArrayEquals(null, get(key));
  }

  /** Returns all keys. */
  List<String> keys() {
    return keys(KeyRange.all());
  }

  /** Returns the keys of a range in its direction. */
  List<String> keys(KeyRange range) {
    List<String> keys = forwards(range);
    List<String> mirrored = keys.reversed();
    assertEquals(mirrored, forwards(range.reversed()), "the reversed range");
    assertEquals(mirrored, backwards(range), "from the last to the first");
    assertEquals(keys, backwards(range.reversed()), "the reversed range from its last");
    assertEquals(keys.size(), view.count(table, range), "the count");
    return keys;
  }

  /** Opens a cursor over all keys. */
  Cursor cursor() {
    return view.cursor(table);
  }

  private List<String> forwards(KeyRange range) {
    List<String> keys = new ArrayList<>();
    try (Cursor cursor = view.cursor(table, range)) {
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        keys.add(Keys.shown(cursor.key()));
        assertArrayEquals(view.get(table, cursor.key()), cursor.value());
      }
    }
    return keys;
  }

  private List<String> backwards(KeyRange range) {
    List<String> keys = new ArrayList<>();
    try (Cursor cursor = view.cursor(table, range)) {
      for (boolean more = cursor.last(); more; more = cursor.previous()) {
        keys.add(Keys.shown(cursor.key()));
      }
    }
    return keys;
  }
}
