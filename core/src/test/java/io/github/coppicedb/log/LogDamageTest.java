package io.github.coppicedb.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.UnsupportedFormatException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.FileHead;
import io.github.coppicedb.format.LogFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Damage of every kind: reading gives a prefix of the frames, or refuses by the rule of {@link
 * LogReader}. That the frames are a prefix, byte for byte, is checked by {@link LogFixture#read}.
 */
class LogDamageTest {
  private static final int[] LENGTHS = {5, 0, 8, 100, 33, 1, 64};

  /** Makes a log whose frames were forced before the next one was written, up to a frame. */
  private static LogFixture log(int forcedFrames) {
    LogFixture log = new LogFixture();
    Random random = new Random(11);
    for (int i = 0; i < LENGTHS.length; i++) {
      byte[] payload = new byte[LENGTHS[i]];
      random.nextBytes(payload);
      log.write(payload);
      if (i < forcedFrames) {
        log.force();
      }
    }
    return log;
  }

  @Test
  void aLogCutAtAnyLengthGivesTheFramesThatAreWhole() {
    LogFixture log = log(LENGTHS.length);
    byte[] whole = log.bytes();
    for (int length = 0; length <= whole.length; length++) {
      int frames = wholeFrames(log, length);
      LogEnd end = log.read(Arrays.copyOf(whole, length));
      assertEquals(frames, LogFixture.frames(end), "cut at " + length);
      long expectedEnd = length < LogFormat.FIRST_FRAME ? 0 : log.starts.get(frames);
      assertEquals(Math.min(expectedEnd, length), end.endOffset());
    }
  }

  private static int wholeFrames(LogFixture log, int length) {
    int frames = 0;
    while (frames < log.payloads.size()
        && length >= log.starts.get(frames) + LogFormat.PAYLOAD + log.payloads.get(frames).length) {
      frames++;
    }
    return frames;
  }

  @Test
  void aCutTailFilledWithZerosIsCut() {
    LogFixture log = log(LENGTHS.length);
    byte[] whole = log.bytes();
    for (int length = 0; length <= whole.length; length++) {
      byte[] zeroed = Arrays.copyOf(Arrays.copyOf(whole, length), whole.length + 4096);
      int atLeast = wholeFrames(log, length);
      LogEnd end = log.read(zeroed);
      // Zeros can complete a frame whose last bytes are zero.
      assertTrue(LogFixture.frames(end) >= atLeast, "zeros from " + length);
      if (length == whole.length) {
        assertEquals(0, end.cutBytes());
        assertEquals(whole.length, end.endOffset());
      }
    }
  }

  @Test
  void aCutTailFilledWithOldBytesOfAnotherLogIsCut() {
    LogFixture log = log(LENGTHS.length);
    byte[] whole = log.bytes();
    byte[] old = new OldLog().bytes(whole.length + 512);
    // Up to the salt the file would be the old log itself: ids of logs are not used again.
    for (int length = LogFormat.SALT + Long.BYTES; length <= whole.length; length++) {
      byte[] recycled = old.clone();
      System.arraycopy(whole, 0, recycled, 0, length);
      int atLeast = wholeFrames(log, length);
      if (length < LogFormat.FIRST_FRAME) {
        assertThrows(CorruptionException.class, () -> log.read(recycled));
        continue;
      }
      LogEnd end = log.read(recycled);
      assertEquals(atLeast, LogFixture.frames(end), "old bytes from " + length);
      assertTrue(end.cutBytes() > 0);
    }
  }

  /** A log of the same database, id and sequences, but for its salt, in a file used before. */
  private static final class OldLog {
    byte[] bytes(int length) {
      io.github.coppicedb.storage.MemoryStorage storage =
          new io.github.coppicedb.storage.MemoryStorage();
      LogWriter writer =
          LogWriter.create(
              storage, LogFixture.LOG, LogFixture.DATABASE, LogFixture.FIRST_SEQUENCE, 77);
      while (writer.writtenPosition() < length) {
        writer.append(LogFormat.BATCH, new byte[16], 16);
        writer.write();
        writer.force();
      }
      return Arrays.copyOf(storage.bytes(LogFixture.NAME), length);
    }
  }

  /** All frames but the last are known to be forced, each from the one behind it. */
  @Test
  void everyFlippedBitOfForcedFramesIsRefused() {
    LogFixture log = log(LENGTHS.length);
    byte[] whole = log.bytes();
    long lastStart = log.starts.get(LENGTHS.length - 1);
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] flipped = flip(whole, bit);
      int at = bit >> 3;
      int frame = frameOf(log, at);
      if (at < LogFormat.FIRST_FRAME) {
        assertThrows(CorruptionException.class, () -> log.read(flipped));
      } else if (isPadding(log, frame, at)) {
        assertEquals(LENGTHS.length, LogFixture.frames(log.read(flipped)));
      } else if (at < lastStart) {
        CorruptionException e =
            assertThrows(CorruptionException.class, () -> log.read(flipped), "bit " + bit);
        assertEquals(LogFixture.NAME, e.file());
        assertEquals(log.starts.get(frame), e.offset());
      } else {
        LogEnd end = log.read(flipped);
        assertEquals(LENGTHS.length - 1, LogFixture.frames(end));
        assertEquals(lastStart, end.endOffset());
        assertEquals(whole.length - lastStart, end.cutBytes() + zerosAtEnd(whole));
      }
    }
  }

  private static int zerosAtEnd(byte[] bytes) {
    int zeros = 0;
    while (bytes[bytes.length - 1 - zeros] == 0) {
      zeros++;
    }
    return zeros;
  }

  private static int frameOf(LogFixture log, int at) {
    int frame = 0;
    while (frame + 1 < log.payloads.size() && log.starts.get(frame + 1) <= at) {
      frame++;
    }
    return frame;
  }

  private static boolean isPadding(LogFixture log, int frame, int at) {
    return at >= log.starts.get(frame) + LogFormat.PAYLOAD + log.payloads.get(frame).length;
  }

  /** Nothing was forced but the head: then any damage can come from a power cut. */
  @Test
  void everyFlippedBitOfUnforcedFramesCutsThere() {
    LogFixture log = log(0);
    byte[] whole = log.bytes();
    for (int bit = 8 * LogFormat.FIRST_FRAME; bit < 8 * whole.length; bit++) {
      int frame = frameOf(log, bit >> 3);
      LogEnd end = log.read(flip(whole, bit));
      int expected = isPadding(log, frame, bit >> 3) ? LENGTHS.length : frame;
      assertEquals(expected, LogFixture.frames(end), "bit " + bit);
    }
  }

  @Test
  void unforcedFramesLostInAnyPatternDoNotStopAnOpen() {
    for (int forced = 0; forced <= LENGTHS.length; forced++) {
      LogFixture log = log(forced);
      byte[] whole = log.bytes();
      for (int lost = 0; lost < 1 << LENGTHS.length; lost++) {
        byte[] left = loseFrames(log, whole, lost);
        int first = Integer.numberOfTrailingZeros(lost | 1 << LENGTHS.length);
        if (provenLost(lost, forced)) {
          assertThrows(CorruptionException.class, () -> log.read(left));
        } else {
          assertEquals(first, LogFixture.frames(log.read(left)), forced + ": " + lost);
        }
      }
    }
  }

  /** Returns whether a frame that is left was written after a lost one had been forced. */
  private static boolean provenLost(int lost, int forced) {
    int first = Integer.numberOfTrailingZeros(lost | 1 << LENGTHS.length);
    for (int frame = first + 1; frame < LENGTHS.length; frame++) {
      if ((lost >> frame & 1) == 0 && first < Math.min(frame, forced)) {
        return true;
      }
    }
    return false;
  }

  private static byte[] loseFrames(LogFixture log, byte[] whole, int lost) {
    byte[] left = whole.clone();
    for (int frame = 0; frame < LENGTHS.length; frame++) {
      if ((lost >> frame & 1) != 0) {
        int from = log.starts.get(frame).intValue();
        Arrays.fill(left, from, log.starts.get(frame + 1).intValue(), (byte) 0);
      }
    }
    return left;
  }

  @Test
  void randomBytesAreNeverAFrame() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      LogFixture log = log(random.nextInt(LENGTHS.length + 1));
      byte[] bytes = log.bytes();
      int from = LogFormat.FIRST_FRAME + random.nextInt(bytes.length - LogFormat.FIRST_FRAME);
      int to = from + random.nextInt(bytes.length - from) + 1;
      for (int i = from; i < to; i++) {
        bytes[i] = (byte) random.nextInt();
      }
      readOrRefuse(log, bytes);
    }
  }

  private static void readOrRefuse(LogFixture log, byte[] bytes) {
    try {
      log.read(bytes);
    } catch (CorruptionException e) {
      assertEquals(LogFixture.NAME, e.file());
    }
  }

  /** A user may store a log as a value: the copies of frames inside prove nothing about the log. */
  @Test
  void framesInsideAPayloadAreNotTakenForFrames() {
    LogFixture log = new LogFixture();
    log.write(new byte[20]);
    log.force();
    log.write(new byte[20]);
    log.force();
    byte[] soFar = log.bytes();
    int start = log.starts.getLast().intValue();
    log.write(Arrays.copyOfRange(soFar, LogFormat.FIRST_FRAME, soFar.length));
    byte[] torn = log.bytes();
    torn[start + LogFormat.FRAME_CRC] ^= 1;
    assertEquals(2, LogFixture.frames(log.read(torn)));
  }

  @Test
  void aHeadWithoutFramesMayBeMissing() {
    LogFixture log = new LogFixture();
    byte[] head = log.bytes();
    for (int bit = 0; bit < 8 * head.length; bit++) {
      assertEquals(0, LogFixture.frames(log.read(flip(head, bit))));
      assertEquals(0, LogFixture.frames(log.read(Arrays.copyOf(flip(head, bit), 4096))));
    }
    assertEquals(new LogEnd(0, 1000, 0), log.read(new byte[4096]));
    assertEquals(new LogEnd(64, 1000, 0), log.read(Arrays.copyOf(head, 4096)));
  }

  @Test
  void aNewerVersionIsRefusedWithTheVersionThatIsNeeded() {
    LogFixture log = log(1);
    byte[] bytes = log.bytes();
    MemorySegment segment = MemorySegment.ofArray(bytes);
    Bytes.put32(segment, FileHead.VERSION, 2);
    FileHead.seal(segment);
    UnsupportedFormatException e =
        assertThrows(UnsupportedFormatException.class, () -> log.read(bytes));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("000007.log has format 2"), message);
    Bytes.put32(segment, FileHead.VERSION, 1);
    Bytes.put64(segment, FileHead.MAGIC, 1);
    FileHead.seal(segment);
    assertThrows(UnsupportedFormatException.class, () -> log.read(bytes));
  }

  private static byte[] flip(byte[] bytes, int bit) {
    byte[] flipped = bytes.clone();
    flipped[bit >> 3] ^= (byte) (1 << (bit & 7));
    return flipped;
  }
}
