package io.github.coppicedb.cli.demo;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseStats;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import io.github.coppicedb.cli.io.Numbers;
import io.github.coppicedb.cli.io.Progress;
import io.github.coppicedb.cli.io.StatsTable;
import io.github.coppicedb.cli.io.Streams;
import java.nio.file.Path;
import java.util.List;

/** The demo itself, part by part. For one thread. */
final class Demo {
  private static final byte[] NO_VALUE = {};
  private static final int PROGRESS_MASK = 0xFFF;

  private final Path directory;
  private final DemoKeys keys;
  private final DemoReport report;
  private final Streams streams;

  Demo(Path directory, DemoKeys keys, DemoReport report, Streams streams) {
    this.directory = directory;
    this.keys = keys;
    this.report = report;
    this.streams = streams;
  }

  /** Runs all parts; what did not hold is in the report. */
  void run() {
    try (Database database = Database.open(directory)) {
      Table table = database.table("paths");
      load(database, table);
      read(database, table);
      size(database);
      new SnapshotShow(database, table, keys, report).run();
    }
    new CrashShow(directory, report).run();
    try (Database database = Database.open(directory)) {
      report.verify(true, "%s entries checked".formatted(count(database.check().entries())));
    }
  }

  private void load(Database database, Table table) {
    report.heading("Keys without values, in random order, on a cold virtual machine");
    long start = System.nanoTime();
    try (Progress progress = Progress.start(streams, "put", "keys", keys.count());
        WriteTransaction transaction = database.beginWrite()) {
      int done = 0;
      for (byte[] key : keys.keys()) {
        transaction.put(table, key, NO_VALUE);
        if ((++done & PROGRESS_MASK) == 0) {
          progress.at(done);
        }
      }
      progress.at(done);
      progress.say("commit");
      transaction.commit();
    }
    report.rate("put", keys.count(), System.nanoTime() - start);
    start = System.nanoTime();
    database.compact();
    report.rate("compact", keys.count(), System.nanoTime() - start);
  }

  private void read(Database database, Table table) {
    try (Snapshot snapshot = database.snapshot()) {
      long start = System.nanoTime();
      int hits = hits(snapshot, table, keys.keys());
      report.rate("get, there", keys.count(), System.nanoTime() - start);
      List<byte[]> absent = keys.keys().stream().map(DemoKeys::absent).toList();
      start = System.nanoTime();
      int falseHits = hits(snapshot, table, absent);
      report.rate("get, absent", absent.size(), System.nanoTime() - start);
      start = System.nanoTime();
      int scanned = scan(snapshot, table);
      report.rate("scan", scanned, System.nanoTime() - start);
      report.verify(
          hits == keys.count() && falseHits == 0 && scanned == keys.count(),
          "every key was found, in a get and in the scan, and nothing else");
    }
  }

  private static int hits(Snapshot snapshot, Table table, List<byte[]> wanted) {
    int hits = 0;
    for (byte[] key : wanted) {
      if (snapshot.contains(table, key)) {
        hits++;
      }
    }
    return hits;
  }

  private static int scan(Snapshot snapshot, Table table) {
    int entries = 0;
    try (Cursor cursor = snapshot.cursor(table, KeyRange.all())) {
      while (cursor.next()) {
        entries++;
      }
    }
    return entries;
  }

  private void size(Database database) {
    DatabaseStats stats = database.stats();
    report.heading("Size");
    report.fact("raw keys", size(keys.bytes()));
    report.fact("on disk", size(StatsTable.ownBytes(stats)) + ", everything told");
    report.emptyLine();
    StatsTable.levels(stats).forEach(report::line);
  }

  private String size(long bytes) {
    return "%10s %8s bytes per key"
        .formatted(Numbers.bytes(bytes), Numbers.perEntry(bytes, keys.count()));
  }

  private static String count(long value) {
    return Numbers.count(value);
  }
}
