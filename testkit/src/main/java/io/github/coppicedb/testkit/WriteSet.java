package io.github.coppicedb.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** The keys and ranges that a commit wrote, by table: what decides about conflicts. */
public final class WriteSet {
  /** The keys and ranges written in one table. */
  record TableWrites(NavigableSet<byte[]> keys, List<RangeSpec> ranges) {
    TableWrites() {
      this(new TreeSet<>(Arrays::compareUnsigned), new ArrayList<>());
    }

    boolean meets(TableWrites other) {
      return covers(other) || other.covers(this) || keys.stream().anyMatch(other.keys::contains);
    }

    private boolean covers(TableWrites other) {
      return ranges.stream()
          .anyMatch(
              range ->
                  other.keys.stream().anyMatch(range::contains)
                      || other.ranges.stream().anyMatch(range::meets));
    }
  }

  private final Map<Integer, TableWrites> tables = new HashMap<>();

  private WriteSet() {}

  /** Returns what some changes write. */
  public static WriteSet of(List<Change> changes) {
    WriteSet set = new WriteSet();
    for (Change change : changes) {
      change.addTo(set.tables.computeIfAbsent(change.table(), t -> new TableWrites()));
    }
    return set;
  }

  /** Returns whether some key is in both sets. */
  public boolean meets(WriteSet other) {
    for (Map.Entry<Integer, TableWrites> entry : tables.entrySet()) {
      TableWrites theirs = other.tables.get(entry.getKey());
      if (theirs != null && entry.getValue().meets(theirs)) {
        return true;
      }
    }
    return false;
  }
}
