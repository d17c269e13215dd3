package io.github.coppicedb.bench.engine;

import io.github.coppicedb.bench.engine.EngineSpec.InC;
import io.github.coppicedb.bench.engine.EngineSpec.InJava;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/** All engines, the most important first. */
public final class Engines {
  /** The name of our own. */
  public static final String COPPICE = "coppice";

  /** The stock runs of LMDB in C. */
  public static final List<String> STOCK_LMDB = List.of("lmdb", "lmdb-nosync");

  /** LMDB's ways to take keys as they come: the best of them is what is compared with. */
  public static final List<String> LMDB = List.of("lmdb", "lmdb-nosync", "lmdb-pieces");

  private static final String LIMIT = "sort";

  private static final int MILLION = 1 << 20;

  /** What a JVM needs so that a library in C gives no warning. */
  public static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

  private static final String ROCKS =
      "log off, batches of 256 puts, write buffers 4 x 64 MiB, bloom filter of 10 bits, block"
          + " cache 1 GiB, LZ4; commit = flush, drain = compaction of everything";

  private static final List<EngineSpec> ALL =
      List.of(
          java(COPPICE, "default options", CoppiceEngine::new, ""),
          new InC("lmdb", "in C, default flags, one transaction", false, 0, false),
          new InC(
              "lmdb-nosync",
              "in C, MDB_NOSYNC and MDB_WRITEMAP, forced at the end",
              true,
              0,
              false),
          new InC(
              "lmdb-pieces",
              "as lmdb-nosync, but committed before a transaction spills dirty pages",
              true,
              0,
              true),
          new InC(
              "lmdb-sorted",
              "as lmdb-nosync, but fed in sorted runs of 1,048,576 keys; sorting is counted",
              true,
              MILLION,
              false),
          java(LIMIT, "the limit: a multikey quicksort of the keys", SortEngine::new, ""),
          java(
              "rocksdb",
              ROCKS + ", vectors as write buffers, which are sorted when they are flushed",
              RocksDbEngine::withVectors,
              "rocksdbjni",
              NATIVE),
          java(
              "rocksdb-skiplist",
              ROCKS + ", skip lists as write buffers, as by default",
              RocksDbEngine::withSkipLists,
              "rocksdbjni",
              NATIVE),
          java(
              "mvstore",
              "H2's MVStore, no write before the commit, cache 1 GiB, byte arrays in unsigned"
                  + " order",
              MvStoreEngine::new,
              "h2-mvstore"),
          java(
              "lmdbjava",
              "LMDB through lmdbjava, MDB_NOSYNC and MDB_WRITEMAP, forced at the end",
              LmdbJavaEngine::new,
              "lmdbjava",
              NATIVE,
              "--add-opens=java.base/java.nio=ALL-UNNAMED",
              "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"),
          java(
              "mapdb",
              "a tree set in a mapped file, without its log",
              MapDbEngine::new,
              "mapdb",
              "--add-opens=java.base/java.nio=ALL-UNNAMED",
              "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"),
          java(
              "sqlite",
              "sqlite-jdbc, a table WITHOUT ROWID, one writer and no other, page cache 1 GiB",
              SqliteEngine::new,
              "sqlite-jdbc",
              NATIVE),
          java(
              "xodus",
              "a store with prefixing, cleaner off",
              XodusEngine::new,
              "xodus-environment",
              "--add-opens=java.base/java.lang=ALL-UNNAMED"),
          java(
              "je",
              "Berkeley DB Java Edition, key prefixing, deferred writes, cleaner off",
              JeEngine::new,
              "je"),
          java("treemap", "java.util.TreeMap", () -> new MapEngine(TreeMap::new), ""),
          java(
              "skiplist",
              "ConcurrentSkipListMap",
              () -> new MapEngine(ConcurrentSkipListMap::new),
              ""));

  private Engines() {}

  private static InJava java(
      String name, String how, Supplier<Engine> maker, String artifact, String... options) {
    return new InJava(name, how, maker, artifact, List.of(options));
  }

  /** Returns all of them. */
  public static List<EngineSpec> all() {
    return ALL;
  }

  /** Returns whether an engine is neither ours nor LMDB in C nor the limit. */
  public static boolean isPeer(EngineSpec engine) {
    return engine instanceof InJava
        && !engine.name().equals(COPPICE)
        && !engine.name().equals(LIMIT);
  }

  /**
   * Returns the engines of these names.
   *
   * @throws IllegalArgumentException if there is no engine of a name
   */
  public static List<EngineSpec> named(List<String> names) {
    List<EngineSpec> found = new ArrayList<>();
    for (String name : names) {
      found.add(named(name));
    }
    return found;
  }

  /** Returns the engine of a name. */
  public static EngineSpec named(String name) {
    for (EngineSpec engine : ALL) {
      if (engine.name().equals(name)) {
        return engine;
      }
    }
    List<String> names = ALL.stream().map(EngineSpec::name).toList();
    throw new IllegalArgumentException(
        "no engine '%s'; there are %s".formatted(name, String.join(", ", names)));
  }
}
