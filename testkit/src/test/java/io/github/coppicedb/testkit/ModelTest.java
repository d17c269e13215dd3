package io.github.coppicedb.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Durability;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ModelTest {
  private static final byte[] KEY = {1};

  @Test
  void firstCommitterWins() {
    Model model = new Model(Durability.POWER_SAFE);
    int table = model.createTable("t");
    ModelTransaction first = put(model, table, 1);
    ModelTransaction second = put(model, table, 2);
    ModelTransaction range = model.begin();
    range.add(new Change.DeleteRange(table, RangeSpec.parse("p01")));
    ModelTransaction elsewhere = model.begin();
    elsewhere.add(new Change.Delete(table, new byte[] {2}));
    model.commit(first);
    assertTrue(model.conflicts(second));
    assertTrue(model.conflicts(range));
    assertFalse(model.conflicts(elsewhere));
    assertFalse(model.conflicts(put(model, table, 3)));
  }

  @Test
  void droppedTableConflictsWithItsWriters() {
    Model model = new Model(Durability.POWER_SAFE);
    int table = model.createTable("t");
    ModelTransaction writer = put(model, table, 1);
    model.dropTable("t");
    assertTrue(model.conflicts(writer));
    assertTrue(model.current().names().isEmpty());
  }

  @Test
  void rolledBackChangesAreGone() {
    Model model = new Model(Durability.POWER_SAFE);
    int table = model.createTable("t");
    ModelTransaction transaction = put(model, table, 1);
    int mark = transaction.savepoint();
    transaction.add(new Change.Delete(table, KEY));
    assertTrue(transaction.content(table).isEmpty());
    transaction.rollbackTo(mark);
    assertEquals(1, transaction.content(table).size());
  }

  @Test
  void crashLeavesWhatWasPromised() {
    assertNull(afterLosingTheLastCommit(Durability.UNSAVED_COMMITS_AT_RISK, true));
    assertNull(afterLosingTheLastCommit(Durability.RECENT_COMMITS_AT_RISK, false));
    assertNull(afterLosingTheLastCommit(Durability.PROCESS_SAFE, true));
    assertNotNull(afterLosingTheLastCommit(Durability.PROCESS_SAFE, false));
    assertNotNull(afterLosingTheLastCommit(Durability.POWER_SAFE, true));
  }

  @Test
  void commitUnderWayMayBeThereOrNot() {
    Model model = new Model(Durability.POWER_SAFE);
    int table = model.createTable("t");
    ModelState before = model.current();
    ModelTransaction transaction = put(model, table, 1);
    model.prepare(transaction);
    ModelState after = before.with(transaction.changes());
    assertNull(model.recover(after, true));
    // What an open has shown once, stays.
    assertNotNull(model.recover(before, true));
  }

  private static @Nullable String afterLosingTheLastCommit(Durability level, boolean powerCut) {
    Model model = new Model(level);
    int table = model.createTable("t");
    model.allDurable();
    ModelState before = model.current();
    model.commit(put(model, table, 1));
    return model.recover(before, powerCut);
  }

  private static ModelTransaction put(Model model, int table, int value) {
    ModelTransaction transaction = model.begin();
    transaction.add(new Change.Put(table, KEY, new byte[] {(byte) value}));
    return transaction;
  }
}
