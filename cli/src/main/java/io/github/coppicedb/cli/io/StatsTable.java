package io.github.coppicedb.cli.io;

import io.github.coppicedb.DatabaseStats;
import io.github.coppicedb.LevelStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The levels of a database as lines for people. */
public final class StatsTable {
  private StatsTable() {}

  /**
   * Returns the bytes on disk of what the database is made of. All files can be more for a while:
   * those that a merge has replaced go a little later.
   */
  public static long ownBytes(DatabaseStats stats) {
    return stats.treeBytes() + stats.logBytes() + stats.valueFileBytes();
  }

  /** Returns a heading and a line for each level. */
  public static List<String> levels(DatabaseStats stats) {
    List<String> lines = new ArrayList<>();
    lines.add(row("level", "runs", "trees", "entries", "deletions", "size", "bytes/key"));
    for (LevelStats level : stats.levels()) {
      lines.add(
          row(
              level.name(),
              Numbers.count(level.runs()),
              Numbers.count(level.trees()),
              Numbers.count(level.entries()),
              Numbers.count(level.tombstones()),
              Numbers.bytes(level.bytes()),
              Numbers.perEntry(level.bytes(), level.entries())));
    }
    return lines;
  }

  private static String row(Object... columns) {
    return String.format(Locale.ROOT, "%-12s %6s %6s %14s %12s %11s %10s", columns);
  }
}
