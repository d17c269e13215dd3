package io.github.coppicedb.log;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.UnsupportedFormatException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.FileHead;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.format.FrameChecksum;
import io.github.coppicedb.format.HeadCheck;
import io.github.coppicedb.format.LogFormat;
import io.github.coppicedb.storage.MappedFile;
import io.github.coppicedb.storage.Storage;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log at open and decides where it ends. The rule:
 *
 * <ul>
 *   <li>Frames are good from the start on while each is whole, has the log's salt, the next
 *       sequence and a right checksum. The first place where that fails is the end; what follows is
 *       cut.
 *   <li>Unless a later frame of the same log proves that the place had been forced: its durable
 *       offset lies behind it. Then bytes that were acknowledged are damaged, and the log is
 *       refused.
 * </ul>
 *
 * A power cut may lose, keep or tear frames that were not yet forced, in any pattern, so a good
 * frame behind a bad one proves nothing by itself; but a frame is written with a durable offset
 * behind the bad place only after that place was on the device. Damage to the frames behind the
 * last forced place that any frame tells of cannot be told from a power cut, and is cut.
 *
 * <p>A log without a whole head is empty if nothing but zeros follows: frames are written only
 * after the head was forced.
 */
public final class LogReader {
  private final String name;
  private final MemorySegment log;
  private final long size;
  private final long salt;
  private final FrameChecksum checksum;

  private LogReader(String name, MemorySegment log) {
    this.name = name;
    this.log = log;
    this.size = log.byteSize();
    this.salt = LogFormat.salt(log);
    this.checksum = new FrameChecksum(salt);
  }

  /**
   * Reads the frames of a log from an offset on.
   *
   * @param fromOffset where the first frame to read stands; {@code LogFormat.FIRST_FRAME} for all
   * @param firstSequence the sequence of that frame
   * @param handler takes the good frames; frames may have been handed over before damage is found
   * @return where the good frames end; the caller cuts the file there, if it has more bytes
   * @throws CorruptionException if acknowledged frames are damaged, a payload is malformed, or the
   *     log is not the one that was asked for
   * @throws UnsupportedFormatException if it was written by a newer version
   */
  public static LogEnd read(
      Storage storage,
      long logId,
      long databaseId,
      long fromOffset,
      long firstSequence,
      FrameHandler handler) {
    if (fromOffset < LogFormat.FIRST_FRAME || fromOffset % LogFormat.ALIGNMENT != 0) {
      throw new IllegalArgumentException("no frame can stand at byte " + fromOffset);
    }
    String name = FileNames.log(logId);
    try (MappedFile file = storage.map(name)) {
      MemorySegment log = file.segment();
      if (!FileHead.isIntact(log) && isZero(log, LogFormat.FIRST_FRAME)) {
        return new LogEnd(0, firstSequence, lengthWithoutZeros(log, 0));
      }
      HeadCheck.check(name, log, LogFormat.MAGIC, LogFormat.VERSION);
      checkIdentity(name, log, logId, databaseId);
      checkFirstSequence(name, log, fromOffset, firstSequence);
      return new LogReader(name, log).readFrames(fromOffset, firstSequence, handler);
    }
  }

  private static void checkIdentity(String name, MemorySegment log, long id, long databaseId) {
    if (FileHead.databaseId(log) != databaseId) {
      throw new CorruptionException(
          name,
          FileHead.DATABASE_ID,
          "database id %016x".formatted(databaseId),
          "%016x, a file of another database".formatted(FileHead.databaseId(log)));
    }
    if (LogFormat.logId(log) != id) {
      throw new CorruptionException(
          name, LogFormat.LOG_ID, "log id " + id, String.valueOf(LogFormat.logId(log)));
    }
  }

  private static void checkFirstSequence(
      String name, MemorySegment log, long fromOffset, long firstSequence) {
    long found = LogFormat.firstSequence(log);
    boolean fromStart = fromOffset == LogFormat.FIRST_FRAME;
    if (fromStart ? found != firstSequence : found > firstSequence) {
      throw new CorruptionException(
          name,
          LogFormat.FIRST_SEQUENCE,
          "first sequence %s%d".formatted(fromStart ? "" : "up to ", firstSequence),
          String.valueOf(found));
    }
  }

  private LogEnd readFrames(long fromOffset, long firstSequence, FrameHandler handler) {
    long frame = fromOffset;
    long sequence = firstSequence;
    String problem = problemAt(frame, sequence);
    while (problem == null) {
      long length = LogFormat.payloadLength(log, frame);
      hand(frame, length, handler);
      frame += LogFormat.frameBytes(length);
      sequence++;
      problem = problemAt(frame, sequence);
    }
    refuseIfForced(frame, sequence, problem);
    long end = Math.min(frame, size);
    return new LogEnd(end, sequence, lengthWithoutZeros(log, end));
  }

  private void hand(long frame, long length, FrameHandler handler) {
    MemorySegment payload = log.asSlice(frame + LogFormat.PAYLOAD, length).asReadOnly();
    try {
      handler.frame(frame, LogFormat.sequence(log, frame), LogFormat.kind(log, frame), payload);
    } catch (IllegalArgumentException e) {
      CorruptionException damage =
          new CorruptionException(
              name, frame, "a frame with a well-formed payload", String.valueOf(e.getMessage()));
      damage.initCause(e);
      throw damage;
    }
  }

  /** Says what keeps the bytes at a place from being the frame with a sequence; null if nothing. */
  private @Nullable String problemAt(long frame, long sequence) {
    if (frame + LogFormat.PAYLOAD > size) {
      return "the end of the file";
    }
    if (!LogFormat.startsFrame(log, frame, salt)) {
      return "no start of a frame";
    }
    if (LogFormat.sequence(log, frame) != sequence) {
      return "sequence " + LogFormat.sequence(log, frame);
    }
    return problemInside(frame);
  }

  private @Nullable String problemInside(long frame) {
    long length = LogFormat.payloadLength(log, frame);
    if (length > LogFormat.MAX_PAYLOAD_BYTES || length > size - frame - LogFormat.PAYLOAD) {
      return "a payload of %d bytes that goes beyond the end".formatted(length);
    }
    int expected = checksum.of(log, frame, length);
    int found = LogFormat.frameCrc(log, frame);
    if (expected != found) {
      return "checksum %08x where the bytes give %08x".formatted(found, expected);
    }
    byte kind = LogFormat.kind(log, frame);
    return LogFormat.isKind(kind) ? null : "unknown kind " + kind;
  }

  /**
   * Looks for a frame behind a bad place which proves that the place had been forced. Steps over
   * all places where a frame can stand: the length of the bad frame cannot be trusted.
   */
  private void refuseIfForced(long bad, long sequence, String problem) {
    for (long later = bad + LogFormat.ALIGNMENT;
        later + LogFormat.PAYLOAD <= size;
        later += LogFormat.ALIGNMENT) {
      if (LogFormat.startsFrame(log, later, salt)
          && LogFormat.sequence(log, later) > sequence
          && LogFormat.durableOffset(log, later) > bad
          && LogFormat.durableOffset(log, later) <= later
          && problemInside(later) == null) {
        throw new CorruptionException(
            name,
            bad,
            "frame %d, which was forced before the frame at byte %d was written"
                .formatted(sequence, later),
            problem);
      }
    }
  }

  private static boolean isZero(MemorySegment log, long from) {
    return lengthWithoutZeros(log, from) == 0;
  }

  private static long lengthWithoutZeros(MemorySegment log, long from) {
    long end = log.byteSize();
    while (end > from && Bytes.u8(log, end - 1) == 0) {
      end--;
    }
    return Math.max(end - from, 0);
  }
}
