package io.github.coppicedb.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.testkit.SimulatedStorage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A power cut, a kill and a failure at each call of a manifest's replacement. */
class ManifestCrashTest {
  private static final int CRASHES = 100;

  private static final ManifestState OLD = new ManifestState(1, 5, 4, 64, 0, List.of());
  private static final ManifestState NEW = new ManifestState(1, 1000, 4, 72, 9, manyTrees());

  private final Random random = new Random(1);

  /** Enough trees for the manifest to span several sectors. */
  private static List<List<List<Long>>> manyTrees() {
    List<Long> trees = new ArrayList<>();
    for (long id = 10; id < 500; id++) {
      trees.add(id);
    }
    return List.of(List.of(trees));
  }

  @Test
  void aCrashAtEachCallGivesTheOldOrTheNewState() {
    Set<ManifestState> seen = new HashSet<>();
    int calls = callsOfAWrite();
    for (int n = 1; n <= calls; n++) {
      SimulatedStorage storage = withOld();
      storage.faults().failFrom(n);
      assertEquals(false, write(storage));
      for (int i = 0; i < CRASHES; i++) {
        seen.add(stateAfter(storage.crash(random)));
      }
      assertOldOrNew(stateAfter(storage.processKill()));
      assertTrue(storage.openHandles().isEmpty());
      assertTrue(storage.misuse().isEmpty());
    }
    assertEquals(Set.of(OLD, NEW), seen);
  }

  @Test
  void afterWriteReturnedEveryCrashGivesTheNewState() {
    SimulatedStorage storage = withOld();
    assertTrue(write(storage));
    for (int i = 0; i < CRASHES; i++) {
      assertEquals(NEW, stateAfter(storage.crash(random)));
    }
  }

  @Test
  void theFirstManifestIsThereOrNot() {
    int calls = callsOfAWrite();
    for (int n = 1; n <= calls; n++) {
      SimulatedStorage storage = new SimulatedStorage();
      storage.faults().failFrom(n);
      assertEquals(false, write(storage));
      for (int i = 0; i < CRASHES; i++) {
        @Nullable ManifestState state = ManifestStore.read(storage.crash(random));
        assertTrue(state == null || state.equals(NEW));
      }
    }
  }

  @Test
  void aFailureOfOneCallLeavesAStateAndALaterWriteWorks() {
    int calls = callsOfAWrite();
    for (int n = 1; n <= calls; n++) {
      SimulatedStorage storage = withOld();
      storage.faults().failOnce(n);
      assertEquals(false, write(storage));
      assertOldOrNew(stateAfter(storage.processKill()));
      assertTrue(write(storage));
      assertEquals(List.of(FileNames.MANIFEST), storage.list());
      assertEquals(NEW, stateAfter(storage.crash(random)));
    }
  }

  @Test
  void aFullDiskLeavesTheOldState() {
    SimulatedStorage storage = withOld();
    for (long free = 0; free < 3000; free += 100) {
      storage.setQuota(storage.usedBytes() + free);
      assertEquals(false, write(storage));
      assertEquals(OLD, stateAfter(storage.crash(random)));
      storage.delete(FileNames.MANIFEST_TMP);
    }
    storage.setQuota(Long.MAX_VALUE);
    assertTrue(write(storage));
    assertEquals(NEW, stateAfter(storage.crash(random)));
  }

  private static SimulatedStorage withOld() {
    SimulatedStorage storage = new SimulatedStorage();
    ManifestStore.write(storage, OLD);
    return storage;
  }

  private static int callsOfAWrite() {
    SimulatedStorage storage = new SimulatedStorage();
    ManifestStore.write(storage, NEW);
    return (int) storage.faults().calls();
  }

  private static boolean write(SimulatedStorage storage) {
    try {
      ManifestStore.write(storage, NEW);
      return true;
    } catch (StorageFailureException e) {
      return false;
    }
  }

  private static ManifestState stateAfter(SimulatedStorage storage) {
    ManifestState state = ManifestStore.read(storage);
    assertOldOrNew(state);
    return state == null ? OLD : state;
  }

  private static void assertOldOrNew(@Nullable ManifestState state) {
    assertTrue(OLD.equals(state) || NEW.equals(state), String.valueOf(state));
  }
}
