package io.github.coppicedb.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of a simulated directory: as they are, as they are on the device, and the changes in
 * between. A power cut keeps or loses each change, so that what is kept could have happened in that
 * order: a name that was not made is not renamed, and a name that was not freed is not made anew.
 * Not thread-safe: guarded by its storage.
 */
final class SimulatedNames {
  private final TreeMap<String, SimulatedContent> current = new TreeMap<>();
  private final TreeMap<String, SimulatedContent> durable = new TreeMap<>();
  private final List<Change> pending = new ArrayList<>();

  /** A file loses one name, gets one, or both in one step. */
  private record Change(SimulatedContent file, @Nullable String lost, @Nullable String got) {
    boolean fits(Map<String, SimulatedContent> names) {
      boolean hasOld = lost == null || names.get(lost) == file;
      boolean free = got == null || lost != null || !names.containsKey(got);
      return hasOld && free;
    }

    void apply(Map<String, SimulatedContent> names) {
      if (lost != null) {
        names.remove(lost);
      }
      if (got != null) {
        names.put(got, file);
      }
    }
  }

  @Nullable SimulatedContent get(String name) {
    return current.get(name);
  }

  List<String> list() {
    return List.copyOf(current.keySet());
  }

  Iterable<SimulatedContent> contents() {
    return current.values();
  }

  void create(String name, SimulatedContent file) {
    change(new Change(file, null, name));
  }

  void rename(String from, String to, SimulatedContent file) {
    change(new Change(file, from, to));
  }

  void delete(String name, SimulatedContent file) {
    change(new Change(file, name, null));
  }

  private void change(Change change) {
    change.apply(current);
    pending.add(change);
  }

  void force() {
    durable.clear();
    durable.putAll(current);
    pending.clear();
  }

  /** Returns a copy, with copies of all files, in which the same is pending. */
  SimulatedNames copy() {
    Map<SimulatedContent, SimulatedContent> copies = new HashMap<>();
    SimulatedNames copy = new SimulatedNames();
    current.forEach((name, file) -> copy.current.put(name, copyOnce(copies, file)));
    durable.forEach((name, file) -> copy.durable.put(name, copyOnce(copies, file)));
    for (Change change : pending) {
      SimulatedContent file = copyOnce(copies, change.file);
      copy.pending.add(new Change(file, change.lost, change.got));
    }
    return copy;
  }

  private static SimulatedContent copyOnce(
      Map<SimulatedContent, SimulatedContent> copies, SimulatedContent file) {
    return copies.computeIfAbsent(file, SimulatedContent::copy);
  }

  /** Returns what a power cut leaves: names and files, all durable. */
  SimulatedNames afterPowerCut(Random random) {
    Map<String, SimulatedContent> names = namesAfterPowerCut(random);
    List<byte[]> contents = new ArrayList<>();
    for (Change change : pending) {
      contents.add(change.file.bytes());
    }
    durable.values().forEach(file -> contents.add(file.bytes()));
    SimulatedNames left = new SimulatedNames();
    names.forEach(
        (name, file) -> {
          byte[] stale = contents.get(random.nextInt(contents.size()));
          byte[] bytes = file.afterPowerCut(random, stale);
          left.current.put(name, SimulatedContent.durable(bytes));
        });
    left.force();
    return left;
  }

  private Map<String, SimulatedContent> namesAfterPowerCut(Random random) {
    Map<String, SimulatedContent> names = new TreeMap<>(durable);
    int oddsOfLoss = new int[] {0, 1, 2, 4}[random.nextInt(4)];
    int first = random.nextBoolean() ? pending.size() : random.nextInt(pending.size() + 1);
    for (Change change : pending.subList(0, first)) {
      if (random.nextInt(4) >= oddsOfLoss && change.fits(names)) {
        change.apply(names);
      }
    }
    return names;
  }
}
