package io.github.coppicedb.engine;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.format.LogFormat;
import io.github.coppicedb.log.LogEnd;
import io.github.coppicedb.log.LogPosition;
import io.github.coppicedb.log.LogReader;
import io.github.coppicedb.log.ManifestState;
import io.github.coppicedb.lsm.Forest;
import io.github.coppicedb.lsm.Levels;
import io.github.coppicedb.lsm.StoredRun;
import io.github.coppicedb.lsm.StoredTree;
import io.github.coppicedb.lsm.TreeStore;
import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.Storage;
import io.github.coppicedb.top.ArenaTop;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Brings back what was committed: the levels that the manifest names, then the log from the
 * manifest's position on, in the order of commits.
 *
 * <p>A crash during recovery is harmless: nothing is removed, and nothing written but the cut of a
 * torn tail, before all has been read.
 */
final class Recovery {
  private final Storage storage;
  private final ManifestState manifest;
  private final TreeStore store;
  private final Tuning tuning;
  private long log;
  private long cutBytes;

  Recovery(Storage storage, ManifestState manifest, TreeStore store, Tuning tuning) {
    this.storage = storage;
    this.manifest = manifest;
    this.store = store;
    this.tuning = tuning;
  }

  /** Opens the tree files of all levels. */
  Levels openLevels() {
    List<List<List<Long>>> ids = manifest.levels();
    if (ids.isEmpty()) {
      return Levels.NONE;
    }
    List<StoredRun> level0 = ids.getFirst().stream().map(this::openRun).toList();
    List<StoredRun> deeper = new ArrayList<>();
    for (List<List<Long>> level : ids.subList(1, ids.size())) {
      deeper.add(openRun(level.isEmpty() ? List.of() : level.getFirst()));
    }
    return deeper.isEmpty() ? new Levels(level0, Levels.NONE.deeper()) : new Levels(level0, deeper);
  }

  /** Returns where the log begins that the levels do not hold. */
  LogPosition start() {
    return new LogPosition(
        manifest.replayLog(), manifest.replayOffset(), manifest.replaySequence());
  }

  /**
   * Applies the log to the trees.
   *
   * @return the sequence of the next commit
   */
  long replay(Forest forest) {
    long sequence = manifest.replaySequence();
    List<Long> logs = logs();
    if (manifest.replayLog() > 0 && !logs.contains(manifest.replayLog())) {
      throw new CorruptionException(
          FileNames.log(manifest.replayLog()), 0, "a log file", "no such file");
    }
    for (long number : logs) {
      log = number;
      boolean first = number == manifest.replayLog();
      long from = first ? manifest.replayOffset() : LogFormat.FIRST_FRAME;
      long firstSequence = sequence;
      LogEnd end =
          LogReader.read(
              storage,
              number,
              manifest.databaseId(),
              from,
              firstSequence,
              (offset, frame, kind, payload) -> apply(forest, offset, frame, kind, payload));
      sequence = end.nextSequence();
      cutBytes += end.cutBytes();
      boolean isEmpty = end.endOffset() == 0 || sequence == firstSequence;
      if (first && end.endOffset() == 0) {
        throw new CorruptionException(
            FileNames.log(number), 0, "the head of the log that the manifest names", "zeros");
      }
      if (isEmpty && !first) {
        // Without a frame it is not missed, and the manifest does not name it.
        storage.delete(FileNames.log(number));
      } else {
        // Also when nothing is cut: what was read must outlast a power cut before more is built on
        // it. The file may be shorter than where the reading began, when it was not forced that
        // far.
        String name = FileNames.log(number);
        storage.truncate(name, Math.min(end.endOffset(), storage.size(name)));
      }
    }
    forest.active().publish();
    return sequence;
  }

  /** Returns how many bytes of incomplete log were cut. */
  long cutBytes() {
    return cutBytes;
  }

  private List<Long> logs() {
    return storage.list().stream()
        .filter(FileNames::isLog)
        .map(FileNames::idOf)
        .filter(number -> number >= manifest.replayLog())
        .sorted()
        .toList();
  }

  private void apply(Forest forest, long offset, long sequence, byte kind, MemorySegment payload) {
    LogPosition before = new LogPosition(log, offset, sequence);
    if (kind == LogFormat.BATCH) {
      ArenaTop active = forest.active();
      if (!active.isEmpty() && active.bytes() + payload.byteSize() > tuning.topBytes()) {
        active.publish();
        forest.sealActive(before);
        forest.throttle(0);
        active = forest.active();
      }
      ArenaTop.decode(payload, active);
      return;
    }
    long[] numbers = LogFormat.adoptedTrees(payload);
    List<StoredTree> trees = Arrays.stream(numbers).mapToObj(store::open).toList();
    long end = offset + LogFormat.frameBytes(payload.byteSize());
    forest.active().publish();
    forest.sealActive(before);
    forest.adoptFiles(runs(trees), new LogPosition(log, end, sequence + 1));
  }

  /** Cuts a row of trees, oldest first, into runs of ascending keys. */
  private static List<List<StoredTree>> runs(List<StoredTree> trees) {
    List<List<StoredTree>> runs = new ArrayList<>();
    for (StoredTree tree : trees) {
      byte[] high = runs.isEmpty() ? null : runs.getLast().getLast().tree().highKey();
      if (high != null && Arrays.compareUnsigned(high, tree.tree().lowKey()) <= 0) {
        runs.getLast().add(tree);
      } else {
        runs.add(new ArrayList<>(List.of(tree)));
      }
    }
    return runs;
  }

  private StoredRun openRun(List<Long> numbers) {
    return StoredRun.of(numbers.stream().map(store::open).toList());
  }
}
