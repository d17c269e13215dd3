package io.github.coppicedb.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.LogFormat;
import io.github.coppicedb.storage.DirectoryStorage;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogThreadsTest {
  private static final int FRAMES = 300;

  @TempDir Path directory;

  @Test
  void anotherThreadMayForceBesideAppends() throws InterruptedException {
    try (DirectoryStorage storage = DirectoryStorage.open(directory, true);
        LogWriter writer = LogWriter.create(storage, 1, 2, 0)) {
      AtomicBoolean done = new AtomicBoolean();
      AtomicReference<@Nullable Throwable> problem = new AtomicReference<>();
      Thread forcer = new Thread(() -> forceUntil(done, writer));
      forcer.setUncaughtExceptionHandler((thread, e) -> problem.set(e));
      forcer.start();
      writeFrames(writer);
      done.set(true);
      forcer.join();
      assertNull(problem.get());
      assertEquals(writer.position(), writer.durablePosition());
      assertAllRead(storage);
    }
  }

  private static void forceUntil(AtomicBoolean done, LogWriter writer) {
    boolean last = false;
    while (!last) {
      last = done.get();
      long before = writer.writtenPosition();
      writer.force();
      long durable = writer.durablePosition();
      assertTrue(durable >= before && durable <= writer.writtenPosition());
    }
  }

  private static void writeFrames(LogWriter writer) {
    for (int i = 0; i < FRAMES; i++) {
      byte[] payload = new byte[i];
      assertEquals(i, writer.append(LogFormat.BATCH, payload, payload.length));
      writer.write();
    }
  }

  private static void assertAllRead(DirectoryStorage storage) {
    LogEnd end =
        LogReader.read(
            storage,
            1,
            2,
            LogFormat.FIRST_FRAME,
            0,
            (offset, sequence, kind, payload) -> assertEquals(sequence, payload.byteSize()));
    assertEquals(FRAMES, end.nextSequence());
    assertEquals(0, end.cutBytes());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void interruptsAtAnyMomentDoNotDisturbTheLog(boolean virtual) throws InterruptedException {
    try (DirectoryStorage storage = DirectoryStorage.open(directory, true)) {
      AtomicReference<@Nullable Throwable> problem = new AtomicReference<>();
      Thread worker =
          (virtual ? Thread.ofVirtual() : Thread.ofPlatform())
              .uncaughtExceptionHandler((thread, e) -> problem.set(e))
              .unstarted(() -> writeAndReadInterrupted(storage));
      worker.start();
      Random random = new Random(5);
      while (worker.isAlive()) {
        worker.interrupt();
        Thread.sleep(0, random.nextInt(300_000));
      }
      assertNull(problem.get());
      assertAllRead(storage);
    }
  }

  private static void writeAndReadInterrupted(DirectoryStorage storage) {
    Thread.currentThread().interrupt();
    try (LogWriter writer = LogWriter.create(storage, 1, 2, 0)) {
      writeFrames(writer);
      writer.force();
    }
    assertAllRead(storage);
    ManifestStore.write(storage, ManifestStoreTest.STATE);
    assertEquals(ManifestStoreTest.STATE, ManifestStore.read(storage));
    assertTrue(Thread.currentThread().isInterrupted());
  }
}
