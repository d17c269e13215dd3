package io.github.coppicedb.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Durability;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.format.LogFormat;
import io.github.coppicedb.log.LogReader;
import io.github.coppicedb.lsm.FileNumbers;
import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.FaultyStorage;
import io.github.coppicedb.storage.FaultyStorage.Call;
import io.github.coppicedb.storage.MemoryStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The row of log files that commits go to: rotation, and what failures take back. */
final class CommitLogTest {
  private static final long DATABASE = 5;
  private static final long FIRST = 100;

  private final Thread mainThread = Thread.currentThread();
  private final FaultyStorage storage = new FaultyStorage(new MemoryStorage());

  private CommitLog log(Durability durability) {
    return new CommitLog(storage, DATABASE, new FileNumbers(1), Tuning.tiny(), durability, FIRST);
  }

  private static void commit(CommitLog log, int content) {
    log.prepare();
    log.appendBatch(1, (to, at) -> to[at] = (byte) content);
    log.commit(false);
  }

  /** Returns what the files hold together, which must be a row without gaps. */
  private List<Integer> read() {
    List<Integer> all = new ArrayList<>();
    long sequence = FIRST;
    for (String name : storage.list()) {
      sequence =
          LogReader.read(
                  storage,
                  FileNames.idOf(name),
                  DATABASE,
                  LogFormat.FIRST_FRAME,
                  sequence,
                  (offset, frame, kind, payload) ->
                      all.add((int) payload.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0)))
              .nextSequence();
    }
    assertEquals(FIRST + all.size(), sequence);
    return all;
  }

  private static List<Integer> upTo(int end) {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < end; i++) {
      all.add(i);
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = "UNSAVED_COMMITS_AT_RISK")
  void filesFollowEachOther(Durability durability) {
    try (CommitLog log = log(durability)) {
      for (int i = 0; i < 120; i++) {
        commit(log, i);
      }
      log.rotateIfUsed();
      log.rotateIfUsed();
      assertEquals(LogFormat.FIRST_FRAME, log.position().offset());
    }
    assertTrue(storage.list().size() > 1);
    assertEquals(upTo(120), read());
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"POWER_SAFE", "PROCESS_SAFE"})
  void aFailedWriteIsCutAndTheNextFileGoesOn(Durability durability) {
    CommitLog log = log(durability);
    commit(log, 0);
    storage.failLateWhen((call, name) -> call == Call.WRITE);
    assertThrows(StorageFailureException.class, () -> commit(log, 9));
    storage.heal();
    assertTrue(log.takeBack());
    assertEquals(upTo(1), read());
    commit(log, 1);
    log.close();
    assertEquals(2, storage.list().size());
    assertEquals(upTo(2), read());
  }

  @Test
  void aCutThatFailsIsTriedAgain() {
    CommitLog log = log(Durability.POWER_SAFE);
    commit(log, 0);
    storage.failLateWhen((call, name) -> call == Call.WRITE || call == Call.TRUNCATE);
    assertThrows(StorageFailureException.class, () -> commit(log, 9));
    storage.failWhen((call, name) -> call == Call.TRUNCATE);
    assertFalse(log.takeBack());
    assertThrows(StorageFailureException.class, log::prepare);
    storage.heal();
    commit(log, 1);
    log.close();
    assertEquals(upTo(2), read());
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = "UNSAVED_COMMITS_AT_RISK")
  void whatWasNotWrittenIsTakenBackAlone(Durability durability) {
    CommitLog log = log(durability);
    commit(log, 0);
    log.prepare();
    log.appendBatch(1, (to, at) -> to[at] = 9);
    assertTrue(log.takeBack());
    commit(log, 1);
    log.close();
    assertEquals(upTo(2), read());
  }

  @Test
  void aFailedForceEndsTheLog() {
    CommitLog log = log(Durability.POWER_SAFE);
    commit(log, 0);
    storage.failWhen((call, name) -> call == Call.FORCE);
    assertThrows(StorageFailureException.class, () -> commit(log, 1));
    storage.heal();
    assertFalse(log.takeBack());
    assertTrue(log.isBroken());
    assertThrows(StorageFailureException.class, log::prepare);
    log.close();
    assertEquals(upTo(2), read());
  }

  @Test
  void aWriteThatLosesAcknowledgedCommitsEndsTheLog() {
    CommitLog log = log(Durability.RECENT_COMMITS_AT_RISK);
    commit(log, 0);
    storage.failWhen((call, name) -> call == Call.WRITE);
    assertThrows(StorageFailureException.class, log::forcePending);
    storage.heal();
    assertThrows(StorageFailureException.class, log::prepare);
    assertFalse(log.takeBack());
    log.close();
    assertEquals(List.of(), read());
  }

  @Test
  void commitsGoOnWhileTheLogIsForced() throws Exception {
    CountDownLatch forced = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    try (CommitLog log = log(Durability.RECENT_COMMITS_AT_RISK);
        ExecutorService flusher = Executors.newSingleThreadExecutor()) {
      commit(log, 0);
      storage.failWhen(
          (call, name) -> {
            if (call == Call.FORCE && Thread.currentThread() != mainThread) {
              forced.countDown();
              awaitQuietly(mayEnd);
            }
            return false;
          });
      Future<?> flush =
          flusher.submit(
              () -> {
                assertTrue(log.beginForce());
                log.endForce();
              });
      forced.await();
      commit(log, 1);
      assertTrue(log.isPending());
      assertFalse(flush.isDone());
      mayEnd.countDown();
      flush.get();
      assertTrue(log.isPending());
      log.forcePending();
      assertFalse(log.isPending());
      assertFalse(log.beginForce());
    }
    assertEquals(upTo(2), read());
  }

  @Test
  void aForceBesideCommitsThatFailsBreaksTheLog() {
    try (CommitLog log = log(Durability.RECENT_COMMITS_AT_RISK)) {
      commit(log, 0);
      storage.failWhen((call, name) -> call == Call.FORCE);
      assertTrue(log.beginForce());
      assertThrows(StorageFailureException.class, log::endForce);
      storage.heal();
      assertTrue(log.isBroken());
      assertThrows(StorageFailureException.class, log::prepare);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
