package io.github.coppicedb.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.storage.MappedFile;
import io.github.coppicedb.storage.OutputFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedStorageTest {
  private static final int CRASHES = 400;

  private final SimulatedStorage storage = new SimulatedStorage();

  @Test
  void whatIsWrittenIsThere() {
    try (OutputFile file = storage.create("a")) {
      file.write(ones(700), 100, 600);
      file.write(MemorySegment.ofArray(new byte[] {5}));
      assertEquals(601, file.position());
    }
    byte[] expected = Arrays.copyOf(ones(600), 601);
    expected[600] = 5;
    assertArrayEquals(expected, storage.bytes("a"));
    assertEquals(601, storage.size("a"));
    storage.rename("a", "b");
    storage.truncate("b", 1);
    assertArrayEquals(ones(1), storage.bytes("b"));
    assertEquals(List.of("b"), storage.list());
    storage.delete("b");
    storage.delete("b");
    assertEquals(List.of(), storage.list());
    assertEquals(List.of(), storage.misuse());
    assertEquals(601, storage.writtenBytes());
  }

  @Test
  void whatWasForcedSurvivesEveryCrash() {
    OutputFile file = storage.create("a");
    file.write(ones(1300), 0, 1300);
    file.force();
    storage.forceDirectory();
    file.write(ones(2000), 0, 2000);
    Random random = new Random(1);
    for (int i = 0; i < CRASHES; i++) {
      byte[] left = storage.crash(random).bytes("a");
      assertTrue(left.length >= 1300 && left.length <= 3300, "length " + left.length);
      assertArrayEquals(ones(1300), Arrays.copyOf(left, 1300));
    }
    assertEquals(3300, storage.size("a"));
  }

  @Test
  void unforcedSectorsAreKeptLostAndTornInManyPatterns() {
    OutputFile file = storage.create("a");
    storage.forceDirectory();
    file.write(ones(4 * 512), 0, 4 * 512);
    Random random = new Random(2);
    Set<String> patterns = new TreeSet<>();
    Set<Integer> lengths = new TreeSet<>();
    boolean torn = false;
    for (int i = 0; i < CRASHES; i++) {
      byte[] left = storage.crash(random).bytes("a");
      lengths.add(left.length);
      StringBuilder pattern = new StringBuilder();
      for (int from = 0; from + 512 <= left.length; from += 512) {
        int kept = count(left, from);
        torn |= kept > 0 && kept < 512;
        pattern.append(kept == 512 ? 'k' : kept == 0 ? 'l' : 't');
      }
      patterns.add(pattern.toString());
    }
    assertTrue(patterns.containsAll(List.of("", "kkkk", "llll", "kkll")), patterns.toString());
    assertTrue(patterns.stream().anyMatch(p -> p.startsWith("lk")), patterns.toString());
    assertTrue(torn);
    assertTrue(lengths.size() > 20, lengths.toString());
  }

  private static int count(byte[] bytes, int from) {
    int ones = 0;
    for (int i = from; i < from + 512; i++) {
      ones += bytes[i];
    }
    return ones;
  }

  @Test
  void lostSectorsCanShowOldBytesOfOtherFiles() {
    byte[] old = new byte[4096];
    Arrays.fill(old, (byte) 9);
    storage.put("old", old);
    OutputFile file = storage.create("a");
    storage.forceDirectory();
    file.write(ones(2048), 0, 2048);
    Random random = new Random(3);
    boolean seen = false;
    for (int i = 0; i < CRASHES; i++) {
      for (byte b : storage.crash(random).bytes("a")) {
        seen |= b == 9;
      }
    }
    assertTrue(seen);
  }

  @Test
  void unforcedNamesAreKeptInSubsetsThatCanHaveHappened() {
    storage.put("m", new byte[] {1});
    OutputFile file = storage.create("tmp");
    file.write(new byte[] {2}, 0, 1);
    file.force();
    file.close();
    storage.rename("tmp", "m");
    storage.create("x").close();
    storage.delete("x");
    Random random = new Random(4);
    Set<String> seen = new TreeSet<>();
    for (int i = 0; i < CRASHES; i++) {
      SimulatedStorage left = storage.crash(random);
      seen.add(left.list() + "=" + left.bytes("m")[0]);
    }
    assertEquals(
        Set.of("[m]=1", "[m, tmp]=1", "[m]=2", "[m, x]=1", "[m, tmp, x]=1", "[m, x]=2"), seen);
    storage.forceDirectory();
    for (int i = 0; i < CRASHES; i++) {
      assertEquals(2, storage.crash(random).bytes("m")[0]);
    }
  }

  @Test
  void aNameMadeAnewIsNotConfusedWithTheOldOne() {
    storage.put("t", new byte[] {1});
    storage.delete("t");
    OutputFile file = storage.create("t");
    file.write(new byte[] {2}, 0, 1);
    file.force();
    Random random = new Random(5);
    Set<String> seen = new TreeSet<>();
    for (int i = 0; i < CRASHES; i++) {
      SimulatedStorage left = storage.crash(random);
      seen.add(left.list().isEmpty() ? "none" : "" + left.bytes("t")[0]);
    }
    assertEquals(Set.of("1", "2", "none"), seen);
  }

  @Test
  void aKilledProcessLosesNothingButDoesNotMakeItDurable() {
    OutputFile file = storage.create("a");
    file.write(ones(3000), 0, 3000);
    SimulatedStorage next = storage.processKill();
    assertArrayEquals(ones(3000), next.bytes("a"));
    assertEquals(List.of(), next.openHandles());
    boolean lost = false;
    Random random = new Random(6);
    for (int i = 0; i < CRASHES; i++) {
      lost |= next.crash(random).list().isEmpty();
    }
    assertTrue(lost);
    next.truncate("a", 1);
    assertEquals(3000, storage.size("a"));
  }

  @Test
  void reservedRoomReadsAsZerosAndGoesWithClose() {
    OutputFile file = storage.create("a");
    file.write(ones(10), 0, 10);
    file.reserve(1000);
    assertEquals(10, file.position());
    assertEquals(1010, storage.size("a"));
    file.write(ones(10), 0, 10);
    file.force();
    storage.forceDirectory();
    byte[] left = storage.crash(new Random(7)).bytes("a");
    assertArrayEquals(Arrays.copyOf(ones(20), 1010), left);
    file.close();
    assertEquals(20, storage.size("a"));
    Random random = new Random(8);
    for (int i = 0; i < CRASHES; i++) {
      byte[] later = storage.crash(random).bytes("a");
      assertArrayEquals(Arrays.copyOf(ones(20), later.length), later);
    }
  }

  @Test
  void theNthCallFailsOnceOrForEver() {
    storage.faults().failOnce(2, StorageCall.CREATE);
    storage.create("a").close();
    assertThrows(StorageFailureException.class, () -> storage.create("b"));
    storage.create("b").close();
    storage.faults().failFrom(3);
    assertEquals(List.of("a", "b"), storage.list());
    assertEquals(0, storage.size("a"));
    assertThrows(StorageFailureException.class, () -> storage.size("a"));
    assertThrows(StorageFailureException.class, storage::forceDirectory);
    storage.faults().heal();
    storage.forceDirectory();
    assertEquals(3, storage.faults().calls(StorageCall.CREATE));
    assertEquals(2, storage.faults().calls(StorageCall.SIZE));
    assertEquals(8, storage.faults().calls());
  }

  @Test
  void aFailedWriteKeepsAPartAndTheFileIsBroken() {
    OutputFile file = storage.create("a");
    storage.faults().failOnce(1, StorageCall.WRITE);
    assertThrows(StorageFailureException.class, () -> file.write(ones(100), 0, 100));
    assertEquals(50, storage.size("a"));
    assertEquals(0, file.position());
    assertThrows(StorageFailureException.class, () -> file.write(ones(1), 0, 1));
    assertThrows(StorageFailureException.class, file::force);
    assertEquals(List.of(), storage.misuse());
  }

  @Test
  void aFailedForceLosesWhatItShouldHaveForced() {
    OutputFile file = storage.create("a");
    storage.forceDirectory();
    file.write(ones(1024), 0, 1024);
    storage.faults().failOnce(1, StorageCall.FORCE);
    assertThrows(StorageFailureException.class, file::force);
    assertArrayEquals(ones(1024), storage.bytes("a"));
    Random random = new Random(9);
    for (int i = 0; i < CRASHES; i++) {
      byte[] left = storage.crash(random).bytes("a");
      assertArrayEquals(new byte[left.length], left);
    }
  }

  @Test
  void spaceRunsOutAndComesBack() {
    storage.setQuota(1000);
    OutputFile file = storage.create("a");
    file.write(ones(900), 0, 900);
    StorageFailureException e =
        assertThrows(StorageFailureException.class, () -> file.write(ones(200), 0, 200));
    assertTrue(e.isDiskFull());
    assertEquals(1000, storage.size("a"));
    assertEquals(900, file.position());
    storage.setQuota(2000);
    try (OutputFile other = storage.create("b")) {
      other.reserve(5000);
      other.write(ones(1000), 0, 1000);
    }
    assertEquals(2000, storage.usedBytes());
  }

  @Test
  void bitsFlipAtRestAndAfterACrash() {
    storage.put("a", new byte[] {0, 0});
    storage.flipBit("a", 9);
    assertArrayEquals(new byte[] {0, 2}, storage.bytes("a"));
    assertArrayEquals(new byte[] {0, 2}, storage.crash(new Random(10)).bytes("a"));
    assertThrows(IllegalArgumentException.class, () -> storage.flipBit("a", 16));
  }

  @Test
  void aMappingIsACopyThatEndsWithClose() {
    storage.put("a", new byte[] {1, 2});
    MappedFile mapped = storage.map("a");
    MemorySegment segment = mapped.segment();
    storage.flipBit("a", 0);
    assertEquals(1, segment.get(ValueLayout.JAVA_BYTE, 0));
    assertTrue(segment.isReadOnly());
    mapped.close();
    mapped.close();
    assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
  }

  @Test
  void wrongUseAndLeaksAreNoted() {
    storage.put("a", new byte[3]);
    MappedFile mapped = storage.map("a");
    OutputFile file = storage.create("b");
    assertEquals(List.of("a mapping of a", "an open file b"), storage.openHandles());
    storage.truncate("a", 2);
    storage.delete("b");
    file.close();
    assertThrows(StorageFailureException.class, () -> file.write(ones(1), 0, 1));
    storage.close();
    mapped.close();
    assertEquals(
        List.of(
            "truncate of a while there is a mapping of a",
            "delete of b while there is an open file b",
            "WRITE of b after its close",
            "open at close: a mapping of a"),
        storage.misuse());
    assertEquals(List.of(), storage.openHandles());
    assertThrows(ClosedException.class, storage::list);
    storage.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a/b", "a\\b", "C:a", "a\0b", "LOCK"})
  void namesThatLeaveTheDirectoryAreRefused(String name) {
    assertThrows(IllegalArgumentException.class, () -> storage.create(name));
    assertThrows(IllegalArgumentException.class, () -> storage.map(name));
  }

  @Test
  void missingAndExistingFilesAreFailures() {
    storage.create("a").close();
    assertThrows(StorageFailureException.class, () -> storage.create("a"));
    assertThrows(StorageFailureException.class, () -> storage.map("b"));
    assertThrows(StorageFailureException.class, () -> storage.size("b"));
    assertThrows(StorageFailureException.class, () -> storage.rename("b", "c"));
    assertThrows(StorageFailureException.class, () -> storage.truncate("b", 0));
  }

  @Test
  void theSameSeedGivesTheSameRest() {
    OutputFile file = storage.create("a");
    storage.forceDirectory();
    file.write(ones(5000), 0, 5000);
    for (int seed = 0; seed < 20; seed++) {
      byte[] once = storage.crash(new Random(seed)).bytes("a");
      assertArrayEquals(once, storage.crash(new Random(seed)).bytes("a"));
    }
    assertFalse(storage.openHandles().isEmpty());
  }

  /** Writes, forces and crashes at random, against a plain note of what must be there. */
  @Test
  void aRandomHistoryKeepsWhatWasForced() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      SimulatedStorage current = new SimulatedStorage();
      OutputFile file = current.create("f");
      current.forceDirectory();
      byte[] written = new byte[0];
      int forced = 0;
      for (int step = 0; step < 40; step++) {
        int length = random.nextInt(1500);
        byte[] more = new byte[length];
        random.nextBytes(more);
        file.write(more, 0, length);
        int start = written.length;
        written = Arrays.copyOf(written, start + length);
        System.arraycopy(more, 0, written, start, length);
        if (random.nextInt(3) == 0) {
          file.reserve(random.nextInt(3000));
        }
        if (random.nextBoolean()) {
          file.force();
          forced = written.length;
        }
        byte[] left = current.crash(random).bytes("f");
        assertTrue(left.length >= forced);
        assertArrayEquals(Arrays.copyOf(written, forced), Arrays.copyOf(left, forced));
      }
    }
  }

  private static byte[] ones(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 1);
    return bytes;
  }
}
