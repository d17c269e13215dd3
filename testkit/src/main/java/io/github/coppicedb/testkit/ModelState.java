package io.github.coppicedb.testkit;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a database holds at one moment: the names of its tables and the content of each. Immutable.
 * A table has a number of its own from its creation on, so that one that was dropped and made again
 * is another one.
 */
public final class ModelState {
  /** A database without tables. */
  public static final ModelState EMPTY = new ModelState(new TreeMap<>(), new HashMap<>());

  private static final NavigableMap<byte[], byte[]> NOTHING =
      Collections.unmodifiableNavigableMap(new TreeMap<>(Arrays::compareUnsigned));

  private final NavigableMap<String, Integer> catalog;
  private final Map<Integer, NavigableMap<byte[], byte[]>> contents;

  private ModelState(
      NavigableMap<String, Integer> catalog, Map<Integer, NavigableMap<byte[], byte[]>> contents) {
    this.catalog = catalog;
    this.contents = contents;
  }

  /** Returns a copy of some content that can be changed. */
  static NavigableMap<byte[], byte[]> copy(NavigableMap<byte[], byte[]> content) {
    return new TreeMap<>(content);
  }

  /** Returns the names of the tables, in order. */
  public NavigableSet<String> names() {
    return Collections.unmodifiableNavigableSet(catalog.navigableKeySet());
  }

  /** Returns the number of a table, or null when there is none of the name. */
  public @Nullable Integer number(String name) {
    return catalog.get(name);
  }

  /** Returns the content of a table; an unknown one is empty. Not for changes. */
  public NavigableMap<byte[], byte[]> content(int table) {
    return contents.getOrDefault(table, NOTHING);
  }

  private NavigableMap<byte[], byte[]> content(String name) {
    Integer number = catalog.get(name);
    return number == null ? NOTHING : content(number);
  }

  /** Returns this state with one table more. */
  public ModelState withTable(String name, int number) {
    return withTable(name, number, NOTHING);
  }

  /** Returns this state with one table more that has some content. */
  public ModelState withTable(String name, int number, NavigableMap<byte[], byte[]> content) {
    NavigableMap<String, Integer> names = new TreeMap<>(catalog);
    names.put(name, number);
    Map<Integer, NavigableMap<byte[], byte[]>> all = new HashMap<>(contents);
    all.put(number, content);
    return new ModelState(names, all);
  }

  /** Returns this state without a table. */
  public ModelState withoutTable(String name) {
    NavigableMap<String, Integer> names = new TreeMap<>(catalog);
    Integer number = names.remove(name);
    Map<Integer, NavigableMap<byte[], byte[]>> all = new HashMap<>(contents);
    all.remove(number);
    return new ModelState(names, all);
  }

  /** Returns the state after some changes. */
  public ModelState with(List<Change> changes) {
    Map<Integer, NavigableMap<byte[], byte[]>> changed = new HashMap<>();
    for (Change change : changes) {
      change.applyTo(changed.computeIfAbsent(change.table(), t -> copy(content(t))));
    }
    Map<Integer, NavigableMap<byte[], byte[]>> all = new HashMap<>(contents);
    all.putAll(changed);
    return new ModelState(catalog, all);
  }

  /** Returns the first difference to another state, in words, or null when they hold the same. */
  public @Nullable String difference(ModelState other) {
    if (!names().equals(other.names())) {
      return "tables %s, not %s".formatted(other.names(), names());
    }
    for (String name : catalog.keySet()) {
      String difference = difference(content(name), other.content(name));
      if (difference != null) {
        return "table %s: %s".formatted(name, difference);
      }
    }
    return null;
  }

  /** Returns the first difference between what should be there and what is, or null. */
  public static @Nullable String difference(
      NavigableMap<byte[], byte[]> expected, NavigableMap<byte[], byte[]> found) {
    for (Map.Entry<byte[], byte[]> entry : expected.entrySet()) {
      byte[] value = found.get(entry.getKey());
      if (value == null) {
        return "key %s is missing".formatted(Blob.brief(entry.getKey()));
      }
      if (!Arrays.equals(value, entry.getValue())) {
        return "key %s has the value %s, not %s"
            .formatted(Blob.brief(entry.getKey()), Blob.brief(value), Blob.brief(entry.getValue()));
      }
    }
    for (byte[] key : found.keySet()) {
      if (!expected.containsKey(key)) {
        return "key %s should not be there".formatted(Blob.brief(key));
      }
    }
    return null;
  }
}
