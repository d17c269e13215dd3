package io.github.coppicedb.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.format.LogFormat;
import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.storage.MemoryStorage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogRoundTripTest {
  private static final FrameHandler IGNORE = (offset, sequence, kind, payload) -> {};

  @TempDir Path directory;

  @Test
  void framesOfAllSizesComeBackFromAFile() {
    List<byte[]> payloads = new ArrayList<>();
    Random random = new Random(1);
    for (int length : new int[] {0, 1, 7, 8, 9, 255, 5000, 0, 300_000, 3 << 20, 40}) {
      byte[] payload = new byte[length];
      random.nextBytes(payload);
      payloads.add(payload);
    }
    try (DirectoryStorage storage = DirectoryStorage.open(directory, true)) {
      LogWriter writer = LogWriter.create(storage, 3, 99, 500);
      for (byte[] payload : payloads) {
        writer.append(LogFormat.BATCH, payload, payload.length);
        if (payload.length % 2 == 1) {
          writer.write();
        }
      }
      writer.write();
      writer.force();
      assertEquals(writer.position(), writer.durablePosition());
      assertEquals(511, writer.nextSequence());
      writer.close();
      List<byte[]> read = new ArrayList<>();
      LogEnd end =
          LogReader.read(
              storage,
              3,
              99,
              LogFormat.FIRST_FRAME,
              500,
              (offset, sequence, kind, payload) ->
                  read.add(payload.toArray(ValueLayout.JAVA_BYTE)));
      assertEquals(new LogEnd(writer.position(), 511, 0), end);
      assertArrayEquals(payloads.toArray(), read.toArray());
    }
  }

  @Test
  void readingBeginsWhereTheManifestSays() {
    LogFixture log = new LogFixture();
    for (int i = 0; i < 5; i++) {
      log.write(new byte[] {(byte) i});
    }
    List<Long> sequences = new ArrayList<>();
    LogEnd end =
        LogReader.read(
            log.storage,
            LogFixture.LOG,
            LogFixture.DATABASE,
            log.starts.get(3),
            1003,
            (offset, sequence, kind, payload) -> sequences.add(sequence));
    assertEquals(List.of(1003L, 1004L), sequences);
    assertEquals(1005, end.nextSequence());
  }

  @Test
  void aReplayOffsetBehindTheEndOfALogThatLostItsTailIsItsEnd() {
    LogFixture log = new LogFixture();
    log.write(new byte[100]);
    LogEnd end =
        LogReader.read(log.storage, LogFixture.LOG, LogFixture.DATABASE, 4096, 1030, IGNORE);
    assertEquals(new LogEnd(log.bytes().length, 1030, 0), end);
  }

  @Test
  void nothingIsInTheFileBeforeWrite() {
    MemoryStorage storage = new MemoryStorage();
    LogWriter writer = LogWriter.create(storage, 1, 2, 3);
    writer.append(LogFormat.BATCH, new byte[50], 50);
    assertEquals(LogFormat.FIRST_FRAME, writer.writtenPosition());
    assertEquals(LogFormat.FIRST_FRAME, storage.size("000001.log"));
    writer.write();
    assertEquals(writer.position(), writer.writtenPosition());
    assertEquals(LogFormat.FIRST_FRAME, writer.durablePosition());
    writer.force();
    assertEquals(writer.position(), writer.durablePosition());
  }

  @Test
  void aLogOfAnotherDatabaseIdOrSequenceIsRefused() {
    MemoryStorage storage = new LogFixture().storage;
    assertRefused("another database", () -> read(storage, 1, LogFormat.FIRST_FRAME, 1000));
    long database = LogFixture.DATABASE;
    assertRefused("sequence 999", () -> read(storage, database, LogFormat.FIRST_FRAME, 999));
    assertRefused("sequence 1001", () -> read(storage, database, LogFormat.FIRST_FRAME, 1001));
    assertRefused("up to 999", () -> read(storage, database, 72, 999));
    storage.rename(LogFixture.NAME, "000008.log");
    assertRefused(
        "log id 8",
        () -> LogReader.read(storage, 8, database, LogFormat.FIRST_FRAME, 1000, IGNORE));
  }

  @Test
  void aMissingLogIsAFailure() {
    MemoryStorage storage = new MemoryStorage();
    assertThrows(StorageFailureException.class, () -> read(storage, 1, LogFormat.FIRST_FRAME, 1));
  }

  @Test
  void aMalformedPayloadIsReportedAsDamageOfItsFrame() {
    LogFixture log = new LogFixture();
    log.write(new byte[3]);
    log.write(new byte[4]);
    CorruptionException e =
        assertThrows(
            CorruptionException.class,
            () ->
                LogReader.read(
                    log.storage,
                    LogFixture.LOG,
                    LogFixture.DATABASE,
                    LogFormat.FIRST_FRAME,
                    1000,
                    (offset, sequence, kind, payload) -> {
                      if (payload.byteSize() == 4) {
                        throw new IllegalArgumentException("four bytes");
                      }
                    }));
    assertEquals(LogFixture.NAME, e.file());
    assertEquals(log.starts.get(1), e.offset());
    assertTrue(String.valueOf(e.getMessage()).contains("four bytes"));
  }

  @Test
  void badArgumentsAreRefusedBeforeAnythingChanges() {
    MemoryStorage storage = new MemoryStorage();
    LogWriter writer = LogWriter.create(storage, 1, 2, 3);
    byte kind = 3;
    assertThrows(IllegalArgumentException.class, () -> writer.append(kind, new byte[1], 1));
    assertThrows(
        IndexOutOfBoundsException.class, () -> writer.append(LogFormat.BATCH, new byte[1], 2));
    assertEquals(LogFormat.FIRST_FRAME, writer.position());
    assertEquals(3, writer.nextSequence());
    assertThrows(IllegalArgumentException.class, () -> read(storage, 2, 63, 3));
    assertThrows(IllegalArgumentException.class, () -> read(storage, 2, 65, 3));
  }

  @Test
  void adoptedTreesComeBack() {
    long[] ids = {1, Long.MAX_VALUE, 0};
    byte[] payload = LogFormat.adoptPayload(ids);
    assertArrayEquals(ids, LogFormat.adoptedTrees(MemorySegment.ofArray(payload)));
    byte[] none = LogFormat.adoptPayload(new long[0]);
    assertEquals(0, LogFormat.adoptedTrees(MemorySegment.ofArray(none)).length);
    for (int length = 0; length < payload.length; length++) {
      MemorySegment cut = MemorySegment.ofArray(payload).asSlice(0, length);
      assertThrows(IllegalArgumentException.class, () -> LogFormat.adoptedTrees(cut));
    }
  }

  private static LogEnd read(MemoryStorage storage, long database, long from, long sequence) {
    String name = storage.list().isEmpty() ? "000001.log" : storage.list().getFirst();
    long id = io.github.coppicedb.format.FileNames.idOf(name);
    return LogReader.read(storage, id, database, from, sequence, IGNORE);
  }

  private static void assertRefused(
      String part, org.junit.jupiter.api.function.Executable executable) {
    CorruptionException e = assertThrows(CorruptionException.class, executable);
    assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
  }
}
