package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Database;
import io.github.coppicedb.Table;
import io.github.coppicedb.TestDatabases;
import io.github.coppicedb.testkit.DatabaseContent;
import io.github.coppicedb.testkit.ModelState;
import io.github.coppicedb.testkit.Settings;
import io.github.coppicedb.testkit.SimulatedStorage;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Opens a database with its log cut at each byte, from the whole log down: it must hold what one of
 * the commits left, never more of them when less of the log is there, and go on working.
 *
 * @param storage the storage with the whole log
 * @param settings how to open
 * @param states the states after each commit, the last one being that of the whole log
 * @param tail what comes behind the cut
 * @param least where to end: the head of a log is durable before a frame is written
 */
record LogCuts(
    SimulatedStorage storage,
    Settings settings,
    List<ModelState> states,
    UnaryOperator<byte[]> tail,
    int least) {
  private static final byte[] NEW_KEY = Keys.text("new");

  /** Returns the bytes of the last log. */
  static byte[] logOf(SimulatedStorage storage) {
    return storage.bytes(logName(storage));
  }

  private static String logName(SimulatedStorage storage) {
    return storage.list().stream()
        .filter(name -> name.endsWith(".log"))
        .reduce((a, b) -> b)
        .orElseThrow();
  }

  /** Cuts at every byte and checks. */
  void cutAtEveryByte() {
    byte[] log = logOf(storage);
    int latest = states.size() - 1;
    assertEquals(latest, openCut(log, log.length, latest));
    for (int length = writtenLength(log) - 1; length >= least; length--) {
      latest = openCut(log, length, latest);
    }
    assertTrue(latest <= 0, "without a log no commit is there");
  }

  /** Returns how much of the log is more than room that was made ahead. */
  private static int writtenLength(byte[] log) {
    int length = log.length;
    while (length > 0 && log[length - 1] == 0) {
      length--;
    }
    return length;
  }

  /** Returns which state is found: -1 for a database without the table. */
  private int openCut(byte[] log, int length, int atMost) {
    SimulatedStorage copy = storage.processKill();
    copy.put(logName(copy), tail.apply(Arrays.copyOf(log, length)));
    int found;
    try (Database database = open(copy)) {
      found = indexOf(DatabaseContent.of(database), length);
      assertTrue(found <= atMost, () -> "cut at %d shows more".formatted(length));
      writeOn(database);
    }
    try (Database database = open(copy.processKill())) {
      Table table = database.table("t");
      boolean there = database.read(snapshot -> snapshot.contains(table, NEW_KEY));
      assertTrue(there, "the commit after the cut");
      database.check();
    }
    return found;
  }

  private static void writeOn(Database database) {
    Table table = database.table("t");
    database.write(tx -> tx.put(table, NEW_KEY, NEW_KEY));
  }

  private Database open(SimulatedStorage copy) {
    return TestDatabases.open(copy, settings.options(), settings.tuning());
  }

  private int indexOf(ModelState found, int length) {
    if (found.names().isEmpty()) {
      return -1;
    }
    for (int i = 0; i < states.size(); i++) {
      if (states.get(i).difference(found) == null) {
        return i;
      }
    }
    throw new AssertionError(
        "cut at %d: no state of a commit; to the last: %s"
            .formatted(length, states.getLast().difference(found)));
  }
}
