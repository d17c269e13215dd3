package io.github.coppicedb.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.format.LogFormat;
import io.github.coppicedb.testkit.SimulatedStorage;
import io.github.coppicedb.testkit.StorageCall;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Logs after power cuts, kills, failures and damage, on simulated storage. */
class LogCrashTest {
  private static final long DATABASE = 77;
  private static final String NAME = FileNames.log(1);

  private final List<byte[]> written = new ArrayList<>();

  /** Reads the frames, which must be a prefix of what was written, and returns their number. */
  private int readPrefix(SimulatedStorage storage) {
    List<byte[]> read = new ArrayList<>();
    LogEnd end =
        LogReader.read(
            storage,
            1,
            DATABASE,
            LogFormat.FIRST_FRAME,
            0,
            (offset, sequence, kind, payload) -> {
              assertEquals(read.size(), sequence);
              read.add(payload.toArray(ValueLayout.JAVA_BYTE));
            });
    assertEquals(read.size(), end.nextSequence());
    for (int i = 0; i < read.size(); i++) {
      assertArrayEquals(written.get(i), read.get(i), "frame " + i);
    }
    long size = storage.size(NAME);
    if (end.endOffset() < size) {
      storage.truncate(NAME, end.endOffset());
    }
    return read.size();
  }

  private void append(LogWriter writer, Random random, int most) {
    byte[] payload = new byte[random.nextInt(most)];
    random.nextBytes(payload);
    writer.append(LogFormat.BATCH, payload, payload.length);
    written.add(payload);
  }

  /** Nothing forced is ever lost, nothing torn is ever read, and no power cut stops an open. */
  @Test
  void aPowerCutAtAnyMomentLeavesAPrefixWithAllThatWasForced() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 10; round++) {
      written.clear();
      SimulatedStorage storage = new SimulatedStorage();
      LogWriter writer = LogWriter.create(storage, 1, DATABASE, 0);
      int forced = 0;
      int handed = 0;
      for (int step = 0; step < 40; step++) {
        append(writer, random, random.nextBoolean() ? 50 : 3000);
        if (random.nextInt(3) > 0) {
          writer.write();
          handed = written.size();
        }
        if (random.nextInt(3) == 0) {
          writer.force();
          forced = handed;
        }
        SimulatedStorage left = storage.crash(random);
        int read = readPrefix(left);
        assertTrue(read >= forced && read <= handed, forced + " " + read + " " + handed);
        assertEquals(read, readPrefix(left), "a second open");
        assertEquals(handed, readPrefix(storage.processKill()));
      }
      writer.close();
      assertEquals(handed, readPrefix(storage.processKill()));
    }
  }

  @Test
  void aLogIsThereWithItsHeadWhenCreateReturns() {
    SimulatedStorage storage = new SimulatedStorage();
    LogWriter writer = LogWriter.create(storage, 1, DATABASE, 0);
    Random random = new Random(1);
    for (int i = 0; i < 50; i++) {
      assertEquals(0, readPrefix(storage.crash(random)));
    }
    assertEquals(LogFormat.FIRST_FRAME, writer.durablePosition());
  }

  @Test
  void aPowerCutWhileALogIsMadeLeavesNoneOrAnEmptyOne() {
    Random random = new Random(2);
    for (int n = 1; n <= 4; n++) {
      SimulatedStorage storage = new SimulatedStorage();
      storage.faults().failFrom(n);
      assertThrows(StorageFailureException.class, () -> LogWriter.create(storage, 1, DATABASE, 0));
      assertTrue(storage.openHandles().isEmpty());
      for (int i = 0; i < 100; i++) {
        SimulatedStorage left = storage.crash(random);
        if (left.list().contains(NAME)) {
          assertEquals(0, readPrefix(left));
        }
      }
    }
  }

  @Test
  void aFailedWriteOrForceBreaksTheWriterForGood() {
    for (StorageCall kind : List.of(StorageCall.WRITE, StorageCall.FORCE)) {
      written.clear();
      SimulatedStorage storage = new SimulatedStorage();
      LogWriter writer = LogWriter.create(storage, 1, DATABASE, 0);
      append(writer, new Random(3), 100);
      writer.write();
      writer.force();
      long good = writer.durablePosition();
      append(writer, new Random(4), 100);
      storage.faults().failOnce(1, kind);
      assertThrows(
          StorageFailureException.class,
          () -> {
            writer.write();
            writer.force();
          });
      assertThrows(StorageFailureException.class, writer::write);
      assertThrows(StorageFailureException.class, writer::force);
      assertThrows(
          StorageFailureException.class, () -> writer.append(LogFormat.BATCH, new byte[0], 0));
      assertEquals(good, writer.durablePosition());
      writer.close();
      Random random = new Random(5);
      for (int i = 0; i < 50; i++) {
        int read = readPrefix(storage.crash(random));
        assertTrue(read == 1 || read == 2, "frames: " + read);
      }
    }
  }

  /** After a full disk the caller may cut the log where the last whole write ended and go on. */
  @Test
  void aLogThatMetAFullDiskCanBeCutAndContinuedInAnother() {
    SimulatedStorage storage = new SimulatedStorage();
    LogWriter writer = LogWriter.create(storage, 1, DATABASE, 0);
    Random random = new Random(6);
    storage.setQuota(4000);
    long next = writeUntilFull(writer, random);
    long end = writer.writtenPosition();
    writer.close();
    storage.setQuota(8000);
    storage.truncate(NAME, end);
    LogWriter second = LogWriter.create(storage, 2, DATABASE, next);
    second.append(LogFormat.BATCH, new byte[9], 9);
    second.write();
    second.force();
    SimulatedStorage left = storage.crash(random);
    assertEquals(next, readPrefix(left));
    LogEnd more =
        LogReader.read(
            left, 2, DATABASE, LogFormat.FIRST_FRAME, next, (offset, sequence, kind, p) -> {});
    assertEquals(next + 1, more.nextSequence());
  }

  private long writeUntilFull(LogWriter writer, Random random) {
    while (true) {
      long next = writer.nextSequence();
      append(writer, random, 300);
      append(writer, random, 300);
      try {
        writer.write();
      } catch (StorageFailureException e) {
        assertTrue(e.isDiskFull());
        return next;
      }
    }
  }

  /** Any bit of a frame that a later frame knows to be forced. */
  @Test
  void damageAtRestToForcedFramesIsRefusedAlsoAfterACrash() {
    SimulatedStorage storage = new SimulatedStorage();
    LogWriter writer = LogWriter.create(storage, 1, DATABASE, 0);
    Random random = new Random(7);
    for (int i = 0; i < 10; i++) {
      append(writer, random, 900);
      writer.write();
      writer.force();
    }
    long lastStart = writer.position() - LogFormat.frameBytes(written.getLast().length);
    for (int i = 0; i < 300; i++) {
      SimulatedStorage left = storage.crash(random);
      long bit =
          8L * LogFormat.FIRST_FRAME + random.nextLong(8 * (lastStart - LogFormat.FIRST_FRAME));
      left.flipBit(NAME, bit);
      if (!isPadding(bit >> 3)) {
        CorruptionException e =
            assertThrows(CorruptionException.class, () -> readPrefix(left), "bit " + bit);
        assertTrue(e.offset() <= bit >> 3);
      }
    }
  }

  private boolean isPadding(long at) {
    long start = LogFormat.FIRST_FRAME;
    for (byte[] payload : written) {
      long end = start + LogFormat.frameBytes(payload.length);
      if (at < end) {
        return at >= start + LogFormat.PAYLOAD + payload.length;
      }
      start = end;
    }
    return false;
  }

  @Test
  void smallForcedWritesDoNotChangeTheLengthEachTime() {
    SimulatedStorage storage = new SimulatedStorage();
    LogWriter writer = LogWriter.create(storage, 1, DATABASE, 0);
    writer.append(LogFormat.BATCH, new byte[100], 100);
    writer.write();
    long size = storage.size(NAME);
    assertTrue(size > writer.position());
    for (int i = 0; i < 100; i++) {
      writer.append(LogFormat.BATCH, new byte[100], 100);
      writer.write();
      assertEquals(size, storage.size(NAME));
    }
    writer.close();
    assertEquals(writer.position(), storage.size(NAME));
    assertFalse(storage.misuse().iterator().hasNext());
  }
}
