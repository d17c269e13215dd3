package io.github.coppicedb;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a database holds and costs at one moment.
 *
 * @param levels what memory and each level hold, newest first
 * @param treeBytes bytes of all tree files that the current state refers to
 * @param logBytes bytes of all log files
 * @param valueFileBytes bytes of all files of large values
 * @param diskBytes bytes of all files of the directory, those that snapshots still need included
 * @param heldVersions states that are held: the current one, and older ones that snapshots need
 * @param lastFailure what the last background work failed with, or null when it succeeded
 */
public record DatabaseStats(
    List<LevelStats> levels,
    long treeBytes,
    long logBytes,
    long valueFileBytes,
    long diskBytes,
    int heldVersions,
    @Nullable String lastFailure) {
  /** Copies the list. */
  public DatabaseStats {
    levels = List.copyOf(levels);
  }

  /** Returns the number of entries everywhere, tombstones and superseded ones included. */
  public long entries() {
    return levels.stream().mapToLong(LevelStats::entries).sum();
  }
}
