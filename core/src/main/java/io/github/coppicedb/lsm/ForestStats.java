package io.github.coppicedb.lsm;

import io.github.coppicedb.LevelStats;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.PackedTree;
import java.util.ArrayList;
import java.util.List;

/**
 * What a forest holds at one moment.
 *
 * @param layers statistics of memory and of each level, newest first
 * @param versions versions that are held, the current one included
 * @param heapBytes heap that sealed layers take
 */
public record ForestStats(List<LevelStats> layers, int versions, long heapBytes) {
  static ForestStats of(Version version, int versions, long heapBytes) {
    List<LevelStats> all = new ArrayList<>();
    all.add(memory(version, heapBytes));
    Levels levels = version.levels();
    all.add(level("level 0", levels.level0()));
    int last = levels.deeper().size() - 1;
    for (int i = 0; i <= last; i++) {
      String name = i == last ? "base" : "level " + (i + 1);
      all.add(level(name, List.of(levels.deeper().get(i))));
    }
    return new ForestStats(List.copyOf(all), versions, heapBytes);
  }

  private static LevelStats memory(Version version, long heapBytes) {
    ArenaTop active = version.active();
    long entries = active.view(active.mark()).entriesAtMost();
    long tombstones = 0;
    int trees = 0;
    for (ShelfItem item : version.shelf()) {
      ArenaTop top = item.top();
      if (top != null) {
        entries += top.view(item.mark()).entriesAtMost();
      }
      for (PackedTree tree : item.layer().trees()) {
        entries += tree.entries();
        tombstones += tree.tombstones();
        trees++;
      }
    }
    int runs = version.shelf().size() + 1;
    long bytes = heapBytes + active.heapBytes();
    return new LevelStats("memory", runs, trees, entries, tombstones, bytes);
  }

  private static LevelStats level(String name, List<StoredRun> runs) {
    List<StoredRun> filled = runs.stream().filter(run -> !run.isEmpty()).toList();
    return new LevelStats(
        name,
        filled.size(),
        filled.stream().mapToInt(run -> run.trees().size()).sum(),
        filled.stream().mapToLong(StoredRun::entries).sum(),
        filled.stream().mapToLong(StoredRun::tombstones).sum(),
        filled.stream().mapToLong(StoredRun::bytes).sum());
  }
}
