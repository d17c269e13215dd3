package io.github.coppicedb.bench.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The files of one set that all children read, so that each engine gets the same keys in the same
 * order: the keys, shuffled, keys that are absent but look like them, and others for warm-ups.
 *
 * @param name the set
 * @param keys the file of the keys
 * @param misses the file of the absent keys
 * @param others the file of the keys for runs that are not measured
 * @param count how many keys there are
 */
public record PreparedKeys(String name, Path keys, Path misses, Path others, int count) {
  /**
   * How many keys are wanted of each kind.
   *
   * @param keys to be measured
   * @param misses absent ones
   * @param others for runs that are not measured
   */
  public record Wanted(int keys, int misses, int others) {}

  /**
   * Writes the files into a folder.
   *
   * @param seed of the shuffle
   */
  public static PreparedKeys prepare(KeySource source, Wanted wanted, long seed, Path folder)
      throws IOException {
    List<byte[]> all = new ArrayList<>(source.keys(wanted.keys()));
    Random random = new Random(seed);
    Collections.shuffle(all, random);
    List<byte[]> chosen = all.subList(0, Math.min(wanted.keys(), all.size()));
    Files.createDirectories(folder);
    Path keys = folder.resolve(source.name() + ".keys");
    Path misses = folder.resolve(source.name() + ".misses");
    Path others = folder.resolve(source.name() + ".others");
    KeyFile.write(keys, chosen);
    KeyFile.write(misses, chosen.isEmpty() ? List.of() : absent(all, wanted.misses(), random));
    KeyFile.write(others, source.others(wanted.others(), all));
    return new PreparedKeys(source.name(), keys, misses, others, chosen.size());
  }

  /** Changes one of the last four bytes of keys, so that a search for the result goes deep. */
  private static List<byte[]> absent(List<byte[]> all, int count, Random random) {
    DistinctKeys present = new DistinctKeys();
    if (count > 0) {
      all.forEach(present::add);
    }
    List<byte[]> absent = new ArrayList<>(count);
    while (absent.size() < count) {
      byte[] key = all.get(random.nextInt(all.size())).clone();
      int place = key.length - 1 - random.nextInt(Math.min(4, key.length));
      key[place] = (byte) ('a' + random.nextInt(26));
      if (!present.contains(key)) {
        absent.add(key);
      }
    }
    return absent;
  }
}
