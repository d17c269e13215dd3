package io.github.coppicedb.bench.inserts;

import io.github.coppicedb.bench.engine.Engines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The engines that rows are put into. */
enum RowEngine {
  /** Ours. */
  COPPICE("default options but PROCESS_SAFE, and one sync at the end of each phase", false),
  /** The rival. */
  ROCKSDB(
      "its log on, not forced but at the end of each phase; write buffers 4 x 64 MiB, bloom filter"
          + " of 10 bits, block cache 1 GiB, LZ4; drained when it has flushed and no compaction is"
          + " pending",
      true),
  /** The rival without a log: a killed process loses what was not flushed. */
  ROCKSDB_NOLOG("as rocksdb, but no log; the end of each phase is a flush", true);

  private final String how;
  private final boolean isNative;

  RowEngine(String how, boolean isNative) {
    this.how = how;
    this.isNative = isNative;
  }

  /** Returns the name that options and reports use. */
  String engineName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns how it is set, for the report. */
  String how() {
    return how;
  }

  /** Returns what its JVM needs beside the defaults. */
  List<String> options() {
    return isNative ? List.of(Engines.NATIVE) : List.of();
  }

  /** Opens a new store in an empty folder. */
  RowStore open(Path directory) throws Exception {
    return switch (this) {
      case COPPICE -> new CoppiceRows(directory);
      case ROCKSDB -> new RocksDbRows(directory, true);
      case ROCKSDB_NOLOG -> new RocksDbRows(directory, false);
    };
  }

  /**
   * Returns the engine of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static RowEngine named(String name) {
    List<String> names = new ArrayList<>();
    for (RowEngine engine : values()) {
      if (engine.engineName().equals(name)) {
        return engine;
      }
      names.add(engine.engineName());
    }
    throw new IllegalArgumentException(
        "no engine '%s'; there are %s".formatted(name, String.join(", ", names)));
  }
}
