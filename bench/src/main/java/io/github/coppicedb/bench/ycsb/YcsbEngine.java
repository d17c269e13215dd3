package io.github.coppicedb.bench.ycsb;

import io.github.coppicedb.bench.engine.Engines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The engines that YCSB's workloads are run by. */
enum YcsbEngine {
  /** Ours. */
  COPPICE(
      "default options but the durability; each operation a snapshot or a transaction of its own",
      false),
  /** The rival. */
  ROCKSDB(
      "its log on, write buffers 4 x 64 MiB, bloom filter of 10 bits, block cache 1 GiB, LZ4; an"
          + " update is a get and a put, which another thread may come between",
      true);

  private final String how;
  private final boolean isNative;

  YcsbEngine(String how, boolean isNative) {
    this.how = how;
    this.isNative = isNative;
  }

  /** Returns the name that options and reports use. */
  String engineName() {
    return name().toLowerCase(Locale.ROOT);
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
  RecordStore open(Path directory, boolean forced) throws Exception {
    return switch (this) {
      case COPPICE -> new CoppiceStore(directory, forced);
      case ROCKSDB -> new RocksDbStore(directory, forced);
    };
  }

  /**
   * Returns the engine of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static YcsbEngine named(String name) {
    List<String> names = new ArrayList<>();
    for (YcsbEngine engine : values()) {
      if (engine.engineName().equals(name)) {
        return engine;
      }
      names.add(engine.engineName());
    }
    throw new IllegalArgumentException(
        "no engine '%s'; there are %s".formatted(name, String.join(", ", names)));
  }
}
