package io.github.coppicedb.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.format.LogFormat;
import io.github.coppicedb.storage.MemoryStorage;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** A log in memory, what was appended to it, and the check that reading gives a prefix of that. */
final class LogFixture {
  static final long DATABASE = 0x0123_4567_89AB_CDEFL;
  static final long LOG = 7;
  static final String NAME = FileNames.log(LOG);
  static final long FIRST_SEQUENCE = 1000;
  static final long SALT = 0xFEDC_BA98_7654_3210L;

  final MemoryStorage storage = new MemoryStorage();
  final List<byte[]> payloads = new ArrayList<>();

  /** Where each frame begins, and at last where the log ends. */
  final List<Long> starts = new ArrayList<>();

  private final LogWriter writer = LogWriter.create(storage, LOG, DATABASE, FIRST_SEQUENCE, SALT);

  LogFixture() {
    starts.add(writer.position());
  }

  /** Appends and writes a frame. */
  void write(byte[] payload) {
    long sequence = writer.append(LogFormat.BATCH, payload, payload.length);
    assertEquals(FIRST_SEQUENCE + payloads.size(), sequence);
    writer.write();
    payloads.add(payload.clone());
    starts.add(writer.position());
  }

  void force() {
    writer.force();
  }

  /** Returns the log's bytes. */
  byte[] bytes() {
    return storage.bytes(NAME);
  }

  /**
   * Reads other bytes in place of the log and checks that frames are a prefix of what was written.
   */
  LogEnd read(byte[] bytes) {
    MemoryStorage other = new MemoryStorage();
    other.put(NAME, bytes);
    return read(other);
  }

  private LogEnd read(MemoryStorage other) {
    List<byte[]> read = new ArrayList<>();
    LogEnd end =
        LogReader.read(
            other,
            LOG,
            DATABASE,
            LogFormat.FIRST_FRAME,
            FIRST_SEQUENCE,
            (offset, sequence, kind, payload) -> {
              int i = read.size();
              assertEquals(starts.get(i), offset);
              assertEquals(FIRST_SEQUENCE + i, sequence);
              assertEquals(LogFormat.BATCH, kind);
              read.add(payload.toArray(ValueLayout.JAVA_BYTE));
              assertArrayEquals(payloads.get(i), read.getLast());
            });
    assertEquals(FIRST_SEQUENCE + read.size(), end.nextSequence());
    return end;
  }

  /** Returns how many frames reading gave. */
  static int frames(LogEnd end) {
    return (int) (end.nextSequence() - FIRST_SEQUENCE);
  }
}
