package io.github.coppicedb.testkit;

import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.Durability;
import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.tree.TreeSettings;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * How the database of a history is opened. Text form: the durability, the number of threads and all
 * numbers of the tuning in their order, between spaces.
 *
 * @param durability the level
 * @param mergeThreads background threads; 0 makes a run repeatable
 * @param tuning the sizes that only tests can set
 */
public record Settings(Durability durability, int mergeThreads, Tuning tuning) {
  /** Returns sizes so tiny that a few hundred keys reach every part of the engine. */
  public static Settings tiny() {
    return new Settings(Durability.POWER_SAFE, 0, Tuning.tiny());
  }

  /** Returns sizes for tens of thousands of keys. */
  public static Settings small() {
    TreeSettings tree = new TreeSettings(4096, 10);
    Tuning tuning =
        new Tuning(1 << 16, 1 << 19, 1 << 18, 1 << 19, 1 << 20, 1 << 16, 4, 3, 4, 3, tree);
    return new Settings(Durability.POWER_SAFE, 2, tuning);
  }

  /** Returns a copy with another durability. */
  public Settings withDurability(Durability level) {
    return new Settings(level, mergeThreads, tuning);
  }

  /** Returns a copy with another number of background threads. */
  public Settings withMergeThreads(int threads) {
    return new Settings(durability, threads, tuning);
  }

  /** Reads the text form. */
  public static Settings parse(String text) {
    List<String> words = Arrays.asList(text.strip().split(" +", -1));
    int[] n = words.stream().skip(1).mapToInt(Integer::parseInt).toArray();
    TreeSettings tree = new TreeSettings(n[11], n[12]);
    Tuning tuning = new Tuning(n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], tree);
    return new Settings(Durability.valueOf(words.getFirst()), n[0], tuning);
  }

  /** Returns the public options. */
  public DatabaseOptions options() {
    return DatabaseOptions.defaults().withDurability(durability).withMergeThreads(mergeThreads);
  }

  @Override
  public String toString() {
    LongStream numbers =
        LongStream.of(
            mergeThreads,
            tuning.topBytes(),
            tuning.memoryBudget(),
            tuning.treeBytes(),
            tuning.logBytes(),
            tuning.unstoredLogBytes(),
            tuning.inlineValueBytes(),
            tuning.fanIn(),
            tuning.level0Runs(),
            tuning.levelRatio(),
            tuning.sealedTops(),
            tuning.tree().pageBytes(),
            tuning.tree().filterBitsPerKey());
    return numbers.mapToObj(Long::toString).collect(Collectors.joining(" ", durability + " ", ""));
  }
}
