package io.github.coppicedb.bench.ycsb;

import java.util.Locale;

/** What YCSB asks of a database. */
enum Operation {
  READ,
  UPDATE,
  INSERT,
  SCAN,
  DELETE;

  /** Returns the name that results use. */
  String column() {
    return name().toLowerCase(Locale.ROOT);
  }
}
