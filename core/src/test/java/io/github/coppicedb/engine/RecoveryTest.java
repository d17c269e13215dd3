package io.github.coppicedb.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.Durability;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.storage.FaultyStorage;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tx.RangeCursor;
import io.github.coppicedb.tx.ReadSnapshot;
import io.github.coppicedb.tx.Transaction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Opens of a database that was not closed, with calls that fail, and with files that lack. */
final class RecoveryTest {
  private static final int TABLE = 7;

  @TempDir private Path directory;

  private final List<String> content = new ArrayList<>();

  private static Engine open(FaultyStorage storage, int threads) {
    DatabaseOptions options = new DatabaseOptions(Durability.POWER_SAFE, true, 1 << 20, threads);
    return Engine.open(storage, options, Tuning.tiny());
  }

  private Engine open(String name) {
    return open(storage(name), 0);
  }

  private FaultyStorage storage(String name) {
    return new FaultyStorage(DirectoryStorage.open(directory.resolve(name), true));
  }

  private static byte[] key(int number) {
    return new byte[] {0, 0, 0, TABLE, (byte) (number >> 8), (byte) number};
  }

  private static void put(Transaction transaction, int number, int bytes) {
    byte[] key = key(number);
    transaction.put(key, key.length, MemorySegment.ofArray(new byte[bytes]));
  }

  private static List<String> content(Engine engine) {
    List<String> all = new ArrayList<>();
    try (ReadSnapshot snapshot = engine.snapshot()) {
      RangeCursor cursor = new RangeCursor(snapshot, new byte[0], null);
      EntryValue value = new EntryValue();
      while (cursor.next()) {
        cursor.value(value);
        int number = (cursor.key()[4] & 0xFF) << 8 | (cursor.key()[5] & 0xFF);
        all.add(number + ":" + value.length());
      }
    }
    return all;
  }

  private List<String> files(String name) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve(name))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void copy(String from, String to) throws IOException {
    Files.createDirectory(directory.resolve(to));
    for (String file : files(from)) {
      if (!file.equals("LOCK")) {
        Files.copy(directory.resolve(from).resolve(file), directory.resolve(to).resolve(file));
      }
    }
  }

  /** Makes a database with levels, a log of small and large commits, and large values. */
  @BeforeEach
  void killOne() throws IOException {
    Engine engine = open("first");
    for (int i = 0; i < 40; i++) {
      Transaction transaction = engine.begin();
      for (int j = 0; j < (i % 10 == 9 ? 60 : 3); j++) {
        put(transaction, (i * 37 + j * 11) % 500, j == 2 && i % 8 == 0 ? 3000 : i + j);
      }
      if (i % 7 == 0) {
        transaction.deleteRange(key(i * 5), key(i * 5 + 40));
      }
      transaction.commit();
      if (i == 15) {
        engine.drain();
      }
    }
    content.addAll(content(engine));
    copy("first", "killed");
    engine.close();
  }

  @Test
  void allThatWasCommittedIsThere() {
    for (String name : List.of("first", "killed", "killed")) {
      try (Engine engine = open(name)) {
        assertEquals(content, content(engine));
        engine.check();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void anOpenThatFailsAnywhereHarmsNothing(int threads) throws IOException {
    boolean failed = true;
    for (int call = 1; failed; call += call < 20 ? 1 : 7) {
      String name = "copy" + call;
      copy("killed", name);
      FaultyStorage storage = storage(name);
      AtomicInteger left = new AtomicInteger(call);
      storage.failWhen((which, file) -> left.decrementAndGet() == 0);
      try (Engine engine = open(storage, threads)) {
        assertEquals(content, content(engine));
        failed = left.get() <= 0;
      } catch (StorageFailureException e) {
        assertTrue(String.valueOf(e.getMessage()).contains("fails"));
      }
      try (Engine engine = open(name)) {
        assertEquals(content, content(engine));
        engine.check();
      }
    }
  }

  /** Commits a small or a large transaction; false if it failed. */
  private static boolean commits(Engine engine, int round) {
    Transaction transaction = engine.begin();
    try {
      for (int j = 0; j < (round % 4 == 3 ? 60 : 3); j++) {
        put(transaction, (round * 37 + j * 11) % 500, j == 2 && round % 3 == 0 ? 3000 : round);
      }
      transaction.commit();
      return true;
    } catch (StorageFailureException e) {
      return false;
    } finally {
      transaction.rollback();
    }
  }

  private static void drainAndCompact(Engine engine) {
    try {
      engine.drain();
      engine.compact();
    } catch (StorageFailureException e) {
      assertTrue(String.valueOf(e.getMessage()).contains("fails"));
    }
  }

  @ParameterizedTest
  @CsvSource({"0,false", "0,true", "2,false"})
  void aCallThatFailsLeavesWholeTransactions(int threads, boolean late) throws IOException {
    boolean failed = true;
    for (int call = 1; failed; call += 1 + call / 4) {
      String name = "live" + call;
      copy("killed", name);
      FaultyStorage storage = storage(name);
      AtomicInteger left = new AtomicInteger(call);
      Set<List<String>> possible = new HashSet<>();
      try (Engine engine = open(storage, threads)) {
        if (late) {
          storage.failLateWhen((which, file) -> left.decrementAndGet() == 0);
        } else {
          storage.failWhen((which, file) -> left.decrementAndGet() == 0);
        }
        for (int i = 0; i < 12; i++) {
          List<String> before = content(engine);
          boolean done = commits(engine, i);
          List<String> now = content(engine);
          assertTrue(done || before.equals(now));
          if (i % 5 == 4) {
            drainAndCompact(engine);
          }
          assertEquals(now, content(engine));
        }
        failed = left.get() <= 0;
        possible.add(content(engine));
        storage.heal();
        engine.check();
      } catch (StorageFailureException e) {
        assertTrue(String.valueOf(e.getMessage()).contains("fails"));
      }
      try (Engine engine = open(name)) {
        engine.check();
        assertEquals(1, possible.size());
        if (!possible.contains(content(engine))) {
          // Only a commit whose force failed may have come back.
          assertTrue(left.get() <= 0 && content(engine).size() >= content.size());
        }
      }
    }
  }

  @Test
  void filesThatNothingRefersToGo() throws IOException {
    List<String> strays = List.of("009000.tree", "009001.value", "MANIFEST.tmp", "000000.log");
    for (String stray : strays) {
      Files.write(directory.resolve("killed").resolve(stray), new byte[10]);
    }
    Files.write(directory.resolve("killed").resolve("notes.txt"), new byte[10]);
    try (Engine engine = open("killed")) {
      assertEquals(content, content(engine));
    }
    List<String> names = files("killed");
    strays.forEach(stray -> assertFalse(names.contains(stray), stray));
    assertTrue(names.contains("notes.txt"));
  }

  @Test
  void aMissingFileIsReportedByItsName() throws IOException {
    for (String name : files("killed")) {
      if (name.endsWith(".tree") || name.endsWith(".log")) {
        String copied = "without-" + name;
        copy("killed", copied);
        Files.delete(directory.resolve(copied).resolve(name));
        try (Engine engine = open(copied)) {
          // Only what a merge has replaced in the meantime is not missed.
          assertEquals(content, content(engine), name);
        } catch (StorageFailureException | CorruptionException e) {
          assertTrue(String.valueOf(e.getMessage()).contains("0"));
        }
      }
    }
  }

  @Test
  void anEmptyLogThatTheManifestNamesIsRefused() throws IOException {
    String log = files("killed").stream().filter(FileNames::isLog).findFirst().orElseThrow();
    Files.write(directory.resolve("killed").resolve(log), new byte[0]);
    assertThrows(CorruptionException.class, () -> open("killed"));
  }

  @Test
  void noManifestBesideFilesIsRefused() throws IOException {
    Files.delete(directory.resolve("killed").resolve("MANIFEST"));
    assertThrows(CorruptionException.class, () -> open("killed"));
  }
}
