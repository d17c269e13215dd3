package io.github.coppicedb.verify;

import io.github.coppicedb.Database;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import io.github.coppicedb.WriteTransaction;
import io.github.coppicedb.testkit.DatabaseFixture;
import io.github.coppicedb.testkit.Settings;
import java.util.function.Consumer;

/**
 * Runs one case in the four states in which an answer can come about: inside the writing
 * transaction, after its commit, merged and stored, reopened. All of it with arrays and with
 * segments, and with what was there before in the tops and in stored trees.
 */
final class FourStates {
  private static final String TABLE = "t";

  private FourStates() {}

  /** Runs a case that begins with an empty table. */
  static void check(Consumer<Writer> changes, Consumer<Reader> expected) {
    check(before -> {}, changes, expected);
  }

  /** Runs a case: what is there before, what one transaction changes, what is true from then on. */
  static void check(Consumer<Writer> before, Consumer<Writer> changes, Consumer<Reader> expected) {
    for (Form form : Form.values()) {
      for (boolean stored : new boolean[] {false, true}) {
        try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
          prepare(fixture, before, form, stored);
          run(fixture, changes, expected, form + (stored ? ", stored before: " : ": "));
        }
      }
    }
  }

  private static void prepare(
      DatabaseFixture fixture, Consumer<Writer> before, Form form, boolean stored) {
    Table table = fixture.table(TABLE);
    fixture.database().write(tx -> before.accept(new Writer(tx, table, form)));
    if (stored) {
      fixture.database().drain();
    }
  }

  private static void run(
      DatabaseFixture fixture, Consumer<Writer> changes, Consumer<Reader> expected, String where) {
    Form form = where.startsWith(Form.ARRAYS.name()) ? Form.ARRAYS : Form.SEGMENTS;
    Table table = fixture.table(TABLE);
    try (WriteTransaction transaction = fixture.database().beginWrite()) {
      changes.accept(new Writer(transaction, table, form));
      inState(where + "in the transaction", () -> expected.accept(new Reader(transaction, table)));
      transaction.commit();
    }
    inState(where + "committed", () -> read(fixture.database(), expected));
    fixture.database().drain();
    inState(where + "stored", () -> read(fixture.database(), expected));
    fixture.database().compact();
    inState(where + "compacted", () -> read(fixture.database(), expected));
    fixture.reopen();
    inState(where + "reopened", () -> read(fixture.database(), expected));
  }

  private static void read(Database database, Consumer<Reader> expected) {
    try (Snapshot snapshot = database.snapshot()) {
      expected.accept(new Reader(snapshot, database.table(TABLE)));
    }
  }

  private static void inState(String state, Runnable check) {
    try {
      check.run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(state + ": " + e.getMessage(), e);
    }
  }
}
