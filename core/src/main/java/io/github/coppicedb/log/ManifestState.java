package io.github.coppicedb.log;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What belongs to a database: the content of the manifest. Immutable.
 *
 * @param databaseId drawn when the database was made; stands in each of its files
 * @param nextFileId no file of the database has this id or a greater one, but for files that a
 *     crash left over
 * @param replayLog id of the log where replay begins
 * @param replayOffset the first frame of it that the trees do not hold
 * @param replaySequence the sequence of that frame
 * @param levels the tree files: levels from the newest, in each its runs from the newest, in each
 *     the ids of its trees in the order of their keys
 */
public record ManifestState(
    long databaseId,
    long nextFileId,
    long replayLog,
    long replayOffset,
    long replaySequence,
    List<List<List<Long>>> levels) {

  /**
   * Copies the levels and checks the numbers.
   *
   * @throws IllegalArgumentException if a file id is negative, not below the next file id or used
   *     twice, or a position is impossible
   */
  public ManifestState {
    levels = levels.stream().map(runs -> runs.stream().map(List::copyOf).toList()).toList();
    require(nextFileId >= 0, "next file id", nextFileId);
    require(replayOffset >= 0 && replayOffset % 8 == 0, "replay offset", replayOffset);
    require(replaySequence >= 0, "replay sequence", replaySequence);
    Set<Long> ids = new HashSet<>();
    requireNew(ids, replayLog, nextFileId);
    for (List<List<Long>> runs : levels) {
      for (List<Long> trees : runs) {
        for (long tree : trees) {
          requireNew(ids, tree, nextFileId);
        }
      }
    }
  }

  private static void requireNew(Set<Long> ids, long id, long nextFileId) {
    require(id >= 0 && id < nextFileId && ids.add(id), "file id", id);
  }

  private static void require(boolean holds, String what, long value) {
    if (!holds) {
      throw new IllegalArgumentException("%s %d is impossible".formatted(what, value));
    }
  }
}
