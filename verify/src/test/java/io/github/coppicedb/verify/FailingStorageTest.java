package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Database;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.Table;
import io.github.coppicedb.testkit.DatabaseContent;
import io.github.coppicedb.testkit.DatabaseFixture;
import io.github.coppicedb.testkit.ModelState;
import io.github.coppicedb.testkit.Settings;
import io.github.coppicedb.testkit.StorageCall;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Storage calls that fail: what failed is absent, reads go on, what was acknowledged is there, and
 * writing works again once the storage does, at the latest after a reopen.
 */
final class FailingStorageTest {
  private static final int COMMITS = 120;

  @ParameterizedTest
  @EnumSource(
      value = StorageCall.class,
      names = {"CREATE", "WRITE", "FORCE", "MAP", "RENAME", "FORCE_DIRECTORY"})
  void oneCallFails(StorageCall kind) {
    for (int n = 1; n <= 12; n++) {
      try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
        Load load = new Load(fixture);
        load.commit(5);
        fixture.storage().faults().failOnce(n, kind);
        load.commit(COMMITS);
        load.assertContent();
        fixture.storage().faults().heal();
        load.reopenAndGoOn();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void br43DiskFullDuringCommits(int mergeThreads) {
    Settings settings = Settings.tiny().withMergeThreads(mergeThreads);
    for (int room = 500; room < 60_000; room = room * 3 / 2) {
      try (DatabaseFixture fixture = DatabaseFixture.simulated(settings)) {
        Load load = new Load(fixture);
        load.commit(5);
        fixture.storage().setQuota(fixture.storage().usedBytes() + room);
        load.commit(COMMITS);
        load.assertContent();
        fixture.storage().setQuota(Long.MAX_VALUE);
        load.reopenAndGoOn();
      }
    }
  }

  @Test
  void br43DiskFullDuringDrainAndCompaction() {
    for (int room = 0; room < 40_000; room += 1500) {
      try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
        Load load = new Load(fixture);
        load.commit(COMMITS);
        fixture.storage().setQuota(fixture.storage().usedBytes() + room);
        boolean drained = succeeds(fixture.database()::drain);
        boolean compacted = succeeds(fixture.database()::compact);
        load.assertContent();
        fixture.storage().setQuota(Long.MAX_VALUE);
        load.reopenAndGoOn();
        assertTrue(drained || room < 39_000, "room enough");
        assertTrue(!compacted || drained, "a compaction drains");
      }
    }
  }

  private static boolean succeeds(Runnable work) {
    try {
      work.run();
      return true;
    } catch (StorageFailureException e) {
      return false;
    }
  }

  /** Commits that may fail, and what must be there. */
  private static final class Load {
    private final DatabaseFixture fixture;
    private final NavigableMap<byte[], byte[]> acknowledged =
        new TreeMap<>(Arrays::compareUnsigned);
    private byte @Nullable [] uncertain;
    private int next;

    Load(DatabaseFixture fixture) {
      this.fixture = fixture;
      fixture.table("t");
    }

    /** Makes commits; notes those that succeed. Returns how many did. */
    int commit(int count) {
      int done = 0;
      Database database = fixture.database();
      Table table = database.findTable("t").orElseThrow();
      for (int i = 0; i < count; i++) {
        byte[] key = Keys.number(Integer.reverse(next++));
        byte[] value = Keys.repeat('v', 100);
        if (succeeds(() -> database.write(tx -> tx.put(table, key, value)))) {
          acknowledged.put(key, value);
          done++;
        } else {
          uncertain = uncertain == null ? key : uncertain;
          assertNull(database.read(snapshot -> snapshot.get(table, key)), "a failed commit");
        }
      }
      return done;
    }

    /**
     * When a force fails nobody knows what is on the device: the commit that it was made for may be
     * there after the next open.
     */
    private void takeUncertain() {
      byte[] key = uncertain;
      byte[] value = Keys.repeat('v', 100);
      Table table = fixture.table("t");
      if (key != null && fixture.database().read(snapshot -> snapshot.contains(table, key))) {
        acknowledged.put(key, value);
      }
    }

    void assertContent() {
      ModelState expected = ModelState.EMPTY.withTable("t", 1, acknowledged);
      assertNull(expected.difference(DatabaseContent.of(fixture.database())));
    }

    void reopenAndGoOn() {
      fixture.closeQuietly();
      fixture.reopen();
      takeUncertain();
      assertContent();
      assertEquals(10, commit(10), "commits after the reopen");
      fixture.database().drain();
      assertContent();
    }
  }
}
