package io.github.coppicedb.testkit;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.Limits;
import io.github.coppicedb.ReadView;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a history that read and change one table through one view, each compared with the
 * model. Which of the equivalent forms of a method is called depends on the step's text, so that a
 * history does the same whenever it runs.
 */
final class ViewSteps {
  private static final int FIRST = 2;
  private static final int SECOND = 3;
  private static final int THIRD = 4;

  private final OpenView view;
  private final Table table;
  private final int number;

  /** Makes the steps on one table, by the number that the model gives it. */
  ViewSteps(OpenView view, Table table, int number) {
    this.view = view;
    this.table = table;
    this.number = number;
  }

  /** Does a step that only reads. */
  void read(Step step) {
    switch (step.verb()) {
      case GET -> get(step.blob(FIRST), step.hashCode());
      case SCAN -> scan(step.range(FIRST));
      case SCAN_BACK -> scanBack(step.range(FIRST));
      default -> throw new IllegalArgumentException("no read: " + step);
    }
  }

  /** Does a step that changes. */
  void write(Step step) {
    byte[] key = step.verb() == Verb.DELETE_RANGE ? new byte[0] : step.blob(FIRST);
    switch (step.verb()) {
      case PUT -> put(key, step.blob(SECOND), step.hashCode());
      case DELETE -> delete(key, step.hashCode());
      case PUT_IF_ABSENT -> putIfAbsent(key, step.blob(SECOND));
      case REPLACE -> replace(key, step.blob(SECOND));
      case SWAP -> swap(key, step.blob(SECOND));
      case COMPARE_AND_SET -> compareAndSet(key, step.blob(SECOND), step.blob(THIRD));
      case DELETE_RANGE -> deleteRange(step.range(FIRST));
      case FILL -> fill(key, step.number(SECOND), step.blob(THIRD));
      default -> throw new IllegalArgumentException("no change: " + step);
    }
  }

  /** Opens a cursor over a range. */
  OpenView.OpenCursor openCursor(RangeSpec range) {
    Cursor actual = view.actual().cursor(table, range.toKeyRange());
    ModelCursor model = new ModelCursor(() -> range.within(view.content(number)));
    return new OpenView.OpenCursor(actual, model, number);
  }

  private NavigableMap<byte[], byte[]> content() {
    return view.content(number);
  }

  private WriteTransaction writer() {
    return view.writer();
  }

  private void get(byte[] key, int form) {
    byte[] expected = content().get(key);
    ReadView actual = view.actual();
    same("get " + Blob.brief(key), expected, actual.get(table, key));
    same("contains " + Blob.brief(key), expected != null, actual.contains(table, key));
    byte[] bySegment = actual.get(table, Segments.of(key, form));
    same("get by segment " + Blob.brief(key), expected, bySegment);
    byte[] uncopied = Segments.bytes(actual.getSegment(table, Segments.of(key, form + 1)));
    same("getSegment " + Blob.brief(key), expected, uncopied);
  }

  private void scan(RangeSpec range) {
    NavigableMap<byte[], byte[]> expected = range.within(content());
    try (Cursor cursor = view.actual().cursor(table, range.toKeyRange())) {
      for (Map.Entry<byte[], byte[]> entry : expected.entrySet()) {
        sameEntry("next", entry, cursor, cursor.next());
      }
      same("next at the end", false, cursor.next());
      same("isValid at the end", false, cursor.isValid());
    }
    same("count", (long) expected.size(), view.actual().count(table, range.toKeyRange()));
  }

  private void scanBack(RangeSpec range) {
    NavigableMap<byte[], byte[]> expected = range.within(content());
    try (Cursor cursor = view.actual().cursor(table, range.toKeyRange())) {
      for (Map.Entry<byte[], byte[]> entry : expected.descendingMap().entrySet()) {
        sameEntry("previous", entry, cursor, cursor.previous());
      }
      same("previous at the begin", false, cursor.previous());
    }
  }

  private void put(byte[] key, byte[] value, int form) {
    if ((form & 1) == 0) {
      writer().put(table, key.clone(), value.clone());
    } else {
      writer().put(table, Segments.of(key, form >>> 1), Segments.of(value, form >>> 3));
    }
    view.model().add(new Change.Put(number, key, value));
  }

  private void delete(byte[] key, int form) {
    if ((form & 1) == 0) {
      writer().delete(table, key.clone());
    } else {
      writer().delete(table, Segments.of(key, form >>> 1));
    }
    view.model().add(new Change.Delete(number, key));
  }

  private void putIfAbsent(byte[] key, byte[] value) {
    boolean expected = !content().containsKey(key);
    same("putIfAbsent", expected, writer().putIfAbsent(table, key.clone(), value.clone()));
    putInModel(expected, key, value);
  }

  private void replace(byte[] key, byte[] value) {
    boolean expected = content().containsKey(key);
    same("replace", expected, writer().replace(table, key.clone(), value.clone()));
    putInModel(expected, key, value);
  }

  private void swap(byte[] key, byte[] value) {
    byte[] present = content().get(key);
    if (present != null) {
      compareAndSet(key, present.clone(), value);
    }
  }

  private void compareAndSet(byte[] key, byte[] expectedValue, byte[] value) {
    byte[] present = content().get(key);
    boolean expected = present != null && Arrays.equals(present, expectedValue);
    boolean actual = writer().compareAndSet(table, key.clone(), expectedValue, value.clone());
    same("compareAndSet", expected, actual);
    putInModel(expected, key, value);
  }

  private void putInModel(boolean done, byte[] key, byte[] value) {
    if (done) {
      view.model().add(new Change.Put(number, key, value));
    }
  }

  private void deleteRange(RangeSpec range) {
    writer().deleteRange(table, range.toKeyRange());
    if (!range.toKeyRange().isEmpty()) {
      view.model().add(new Change.DeleteRange(number, range));
    }
  }

  private void fill(byte[] prefix, int count, byte[] value) {
    boolean fits = prefix.length + Integer.BYTES <= Limits.MAX_KEY_BYTES;
    for (int i = 0; i < count && fits; i++) {
      byte[] key = Arrays.copyOf(prefix, prefix.length + Integer.BYTES);
      for (int b = 0; b < Integer.BYTES; b++) {
        key[prefix.length + b] = (byte) (i >>> (Byte.SIZE * (Integer.BYTES - 1 - b)));
      }
      put(key, value, i);
    }
  }

  /** Compares what a cursor is at with what it should be at. */
  static void sameEntry(
      String what, Map.Entry<byte[], byte[]> expected, Cursor cursor, boolean moved) {
    String where = what + " to " + Blob.brief(expected.getKey());
    same(where, true, moved);
    same(where + ", isValid", true, cursor.isValid());
    same(where + ", key", expected.getKey(), cursor.key());
    same(where + ", value", expected.getValue(), cursor.value());
    same(where + ", keySegment", expected.getKey(), Segments.bytes(cursor.keySegment()));
    same(where + ", valueSegment", expected.getValue(), Segments.bytes(cursor.valueSegment()));
  }

  /** Fails unless both are the same. */
  static void same(String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new HistoryFailure("%s: expected %s, got %s".formatted(what, expected, actual));
    }
  }

  private static void same(String what, byte @Nullable [] expected, byte @Nullable [] actual) {
    if (!Arrays.equals(expected, actual)) {
      String wanted = expected == null ? "nothing" : Blob.brief(expected);
      String got = actual == null ? "nothing" : Blob.brief(actual);
      throw new HistoryFailure("%s: expected %s, got %s".formatted(what, wanted, got));
    }
  }
}
