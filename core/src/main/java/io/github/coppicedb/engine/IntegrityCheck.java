package io.github.coppicedb.engine;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.lsm.Layer;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.PackedTree;
import io.github.coppicedb.tree.TreeChecker;
import io.github.coppicedb.tx.ReadSnapshot;

/** The full check of a snapshot: every page of every tree, every value file. Stateless. */
public final class IntegrityCheck {
  private IntegrityCheck() {}

  /**
   * What was looked at.
   *
   * @param trees packed trees
   * @param pages pages
   * @param entries entries in them
   * @param values values in files of their own
   */
  public record Result(long trees, long pages, long entries, long values) {}

  /** Checks; throws {@link io.github.coppicedb.CorruptionException} at the first damage. */
  static Result run(ReadSnapshot snapshot) {
    long trees = 0;
    long pages = 0;
    long entries = 0;
    long values = 0;
    for (Layer layer : snapshot.stack().layers()) {
      for (PackedTree tree : layer.trees()) {
        TreeChecker.Counts counts = tree.check();
        pages += counts.pages();
        entries += counts.entries();
        trees++;
      }
      values += checkValues(snapshot, layer);
    }
    return new Result(trees, pages, entries, values);
  }

  private static long checkValues(ReadSnapshot snapshot, Layer layer) {
    if (layer.trees().stream().allMatch(tree -> tree.largeFiles().length == 0)) {
      return 0;
    }
    long count = 0;
    EntryValue value = new EntryValue();
    EntryCursor cursor = layer.cursor();
    for (boolean on = cursor.first(); on; on = cursor.next()) {
      cursor.value(value);
      if (value.kind() == EntryKind.LARGE) {
        snapshot.values().read(value);
        count++;
      }
    }
    return count;
  }
}
