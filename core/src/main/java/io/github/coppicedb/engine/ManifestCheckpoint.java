package io.github.coppicedb.engine;

import io.github.coppicedb.DatabaseException;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.log.LogPosition;
import io.github.coppicedb.log.ManifestState;
import io.github.coppicedb.log.ManifestStore;
import io.github.coppicedb.lsm.Checkpoint;
import io.github.coppicedb.lsm.FileNumbers;
import io.github.coppicedb.lsm.Leftovers;
import io.github.coppicedb.lsm.Levels;
import io.github.coppicedb.lsm.StoredRun;
import io.github.coppicedb.lsm.StoredTree;
import io.github.coppicedb.storage.Storage;
import java.util.ArrayList;
import java.util.List;

/** Writes the manifest of a database. One caller at a time. */
final class ManifestCheckpoint implements Checkpoint {
  private final Storage storage;
  private final long databaseId;
  private final FileNumbers numbers;

  ManifestCheckpoint(Storage storage, long databaseId, FileNumbers numbers) {
    this.storage = storage;
    this.databaseId = databaseId;
    this.numbers = numbers;
  }

  @Override
  public void write(Levels levels, LogPosition replayFrom) {
    // The names of the tree files must be durable before a manifest says that they are there.
    storage.forceDirectory();
    ManifestStore.write(storage, state(levels, replayFrom));
  }

  @Override
  public boolean names(StoredTree tree) {
    try {
      ManifestState state = ManifestStore.read(storage);
      return state == null
          || state.levels().stream()
              .flatMap(List::stream)
              .flatMap(List::stream)
              .anyMatch(id -> id == tree.fileId());
    } catch (DatabaseException e) {
      // What cannot be told counts as a reason to keep the file.
      return true;
    }
  }

  @Override
  public void dropLogs(LogPosition replayFrom) {
    for (String name : Leftovers.list(storage)) {
      if (FileNames.isLog(name) && FileNames.idOf(name) < replayFrom.log()) {
        Leftovers.remove(storage, name);
      }
    }
  }

  private ManifestState state(Levels levels, LogPosition from) {
    List<List<List<Long>>> all = new ArrayList<>();
    all.add(levels.level0().stream().map(ManifestCheckpoint::ids).toList());
    levels.deeper().forEach(run -> all.add(List.of(ids(run))));
    return new ManifestState(
        databaseId, numbers.peek(), from.log(), from.offset(), from.sequence(), all);
  }

  private static List<Long> ids(StoredRun run) {
    return run.trees().stream().map(StoredTree::fileId).toList();
  }
}
