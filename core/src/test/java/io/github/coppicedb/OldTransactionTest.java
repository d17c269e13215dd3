package io.github.coppicedb;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.tree.TreeSettings;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions that are open while more is committed than the history of commits may keep. */
final class OldTransactionTest {
  private static final int BUDGET = 1 << 16;
  private static final Tuning TUNING =
      new Tuning(
          1 << 12, BUDGET, 1 << 18, 1 << 20, 1 << 20, 1 << 18, 3, 2, 3, 2, TreeSettings.DEFAULT);

  private static final byte[] MINE = {1};
  private static final byte[] THEIRS = {2};
  private static final byte[] SHORT = {0};
  private static final byte[] LONG = new byte[BUDGET];

  @TempDir private Path directory;

  private Database db;
  private Table table;

  @BeforeEach
  void open() {
    DatabaseOptions options =
        DatabaseOptions.defaults().withDurability(Durability.PROCESS_SAFE).withMergeThreads(0);
    db = Database.open(DirectoryStorage.open(directory, true), options, TUNING);
    table = db.table("t");
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void put(byte[] key, byte[] value) {
    db.write(tx -> tx.put(table, key, value));
  }

  private WriteTransaction begin(byte[] key) {
    WriteTransaction tx = db.beginWrite();
    tx.put(table, key, SHORT);
    return tx;
  }

  @Test
  void meetsNothingThatWasCommittedBeforeItBegan() {
    put(THEIRS, LONG);
    try (WriteTransaction mine = begin(MINE);
        WriteTransaction same = begin(THEIRS)) {
      db.drain();
      mine.commit();
      for (int i = 0; i < 3; i++) {
        put(new byte[] {3, (byte) i}, LONG);
        db.drain();
      }
      same.commit();
    }
  }

  @Test
  void meetsNoValuesHoweverLarge() {
    try (WriteTransaction mine = begin(MINE);
        WriteTransaction same = begin(THEIRS)) {
      for (int i = 0; i < 5; i++) {
        put(i == 2 ? THEIRS : new byte[] {3, (byte) i}, LONG);
        db.drain();
      }
      mine.commit();
      assertThrows(ConflictException.class, same::commit);
    }
  }

  @Test
  void meetsNoKeyThatIsWrittenAgainAndAgain() {
    try (WriteTransaction mine = begin(MINE);
        WriteTransaction same = begin(THEIRS)) {
      for (int i = 0; i < 5000; i++) {
        put(THEIRS, new byte[50]);
      }
      mine.commit();
      assertThrows(ConflictException.class, same::commit);
    }
  }

  @Test
  void failsWhenMoreKeysWereChangedThanTheBudgetAllows() {
    try (WriteTransaction old = begin(MINE)) {
      putKeys(0, BUDGET / 20);
      try (WriteTransaction younger = begin(MINE)) {
        putKeys(BUDGET / 20, BUDGET / 20 + 100);
        assertThrows(ConflictException.class, old::commit);
        younger.commit();
      }
    }
    put(MINE, LONG);
  }

  private void putKeys(int from, int to) {
    for (int i = from; i < to; i++) {
      put(ByteBuffer.allocate(8).putLong(i).array(), SHORT);
    }
  }
}
