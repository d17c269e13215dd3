package io.github.coppicedb.cli.demo;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.Database;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.Numbers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;

/** Reads one snapshot again and again while another thread changes what it shows. */
final class SnapshotShow {
  private static final int SCANS = 4;
  private static final int KEYS_PER_COMMIT = 500;
  private static final byte[] CHANGED = {'c', 'h', 'a', 'n', 'g', 'e', 'd'};

  private final Database database;
  private final Table table;
  private final DemoKeys keys;
  private final DemoReport report;

  /** What a reader saw: how much, and a checksum over it. */
  private record Sight(long entries, long checksum) {}

  SnapshotShow(Database database, Table table, DemoKeys keys, DemoReport report) {
    this.database = database;
    this.table = table;
    this.keys = keys;
    this.report = report;
  }

  void run() {
    report.heading("A snapshot while another thread deletes and overwrites");
    AtomicBoolean enough = new AtomicBoolean();
    boolean still = true;
    try (Snapshot snapshot = database.snapshot()) {
      Sight first = look(snapshot);
      CompletableFuture<Integer> writer = CompletableFuture.supplyAsync(() -> change(enough));
      try {
        for (int i = 0; i < SCANS; i++) {
          still &= look(snapshot).equals(first);
        }
      } finally {
        enough.set(true);
      }
      int commits = join(writer);
      still &= look(snapshot).equals(first);
      report.fact("snapshot", "%s keys, in each of %d scans".formatted(count(first), SCANS + 2));
      report.fact("meanwhile", "%s commits".formatted(Numbers.count(commits)));
    }
    try (Snapshot now = database.snapshot()) {
      report.fact("now", "%s keys".formatted(count(look(now))));
    }
    report.verify(still, "the snapshot did not change by a byte");
  }

  /** Commits until told to stop, at least once, and returns how often. */
  private int change(AtomicBoolean enough) {
    int commits = 0;
    int next = 0;
    do {
      int from = next;
      int to = Math.min(from + KEYS_PER_COMMIT, keys.count());
      database.write(
          transaction -> {
            for (int i = from; i < to; i++) {
              if (i % 2 == 0) {
                transaction.delete(table, keys.keys().get(i));
              } else {
                transaction.put(table, keys.keys().get(i), CHANGED);
              }
            }
          });
      commits++;
      next = to == keys.count() ? 0 : to;
    } while (!enough.get());
    return commits;
  }

  private Sight look(Snapshot snapshot) {
    CRC32C sum = new CRC32C();
    long entries = 0;
    try (Cursor cursor = snapshot.cursor(table, KeyRange.all())) {
      while (cursor.next()) {
        sum.update(cursor.key());
        sum.update(cursor.value());
        entries++;
      }
    }
    return new Sight(entries, sum.getValue());
  }

  private static int join(CompletableFuture<Integer> writer) {
    try {
      return writer.join();
    } catch (CompletionException e) {
      throw CommandException.failure("the writing thread failed: " + e.getCause(), e);
    }
  }

  private static String count(Sight sight) {
    return Numbers.count(sight.entries());
  }
}
