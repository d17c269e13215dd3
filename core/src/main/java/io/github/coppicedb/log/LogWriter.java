package io.github.coppicedb.log;

import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.format.FileHead;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.format.FrameChecksum;
import io.github.coppicedb.format.LogFormat;
import io.github.coppicedb.storage.OutputFile;
import io.github.coppicedb.storage.Storage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes one log. Frames gather in a heap buffer ({@link #append}), are handed to the operating
 * system in one call ({@link #write}) and forced to the device ({@link #force}).
 *
 * <p>Requires: the log before this one was forced before this one was created, so that a gap
 * between two logs is always damage.
 *
 * <p>Threads: the caller lets one thread at a time call {@link #append} and {@link #write}; another
 * thread may {@link #force} beside them. A force covers exactly what was written when it began.
 *
 * <p>After a failed write or force the writer is broken and every later call fails: what reached
 * the device is unknown. {@link #writtenPosition} still says where the last whole write ended.
 */
public final class LogWriter implements AutoCloseable {
  private static final int INITIAL_BUFFER = 4 << 10;
  private static final int LARGEST_KEPT_BUFFER = 1 << 20;
  private static final int WRITE_AT_LATEST = 64 << 20;
  private static final int SMALL_WRITE = 64 << 10;
  private static final long LEAST_ROOM = 64 << 10;
  private static final long MOST_ROOM = 1 << 20;

  private final OutputFile file;
  private final long salt;
  private final FrameChecksum checksum;
  private final AtomicLong durable = new AtomicLong();
  private byte[] buffer = new byte[INITIAL_BUFFER];
  private MemorySegment bufferSegment = MemorySegment.ofArray(buffer);
  private int buffered;
  private long roomEnd;
  private long nextSequence;
  private volatile long written;
  private volatile @Nullable StorageFailureException failure;

  /** The bytes of a frame. */
  @FunctionalInterface
  public interface Payload {
    /** Writes the bytes into an array that has room for them, from an index on. */
    void writeTo(byte[] target, int offset);
  }

  private LogWriter(OutputFile file, long salt, long firstSequence) {
    this.file = file;
    this.salt = salt;
    this.checksum = new FrameChecksum(salt);
    this.nextSequence = firstSequence;
  }

  /**
   * Makes a log. When this returns, the file, its head and its name are durable.
   *
   * @param firstSequence the sequence that the first frame gets
   */
  public static LogWriter create(Storage storage, long logId, long databaseId, long firstSequence) {
    return create(storage, logId, databaseId, firstSequence, new SplittableRandom().nextLong());
  }

  /** Makes a log with a given salt, so that a test gets the same bytes each time. */
  static LogWriter create(
      Storage storage, long logId, long databaseId, long firstSequence, long salt) {
    OutputFile file = storage.create(FileNames.log(logId));
    try {
      LogWriter writer = new LogWriter(file, salt, firstSequence);
      LogFormat.putHead(writer.bufferSegment, databaseId, logId, salt, firstSequence);
      writer.buffered = FileHead.BYTES;
      writer.write();
      writer.force();
      storage.forceDirectory();
      return writer;
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Takes back the frames from a position on that are still in the buffer; writing thread only.
   *
   * @param position where the first of them stands, at least {@link #writtenPosition}
   * @param sequence its sequence, which the next frame gets
   */
  public void discardSince(long position, long sequence) {
    if (position < written || position > position()) {
      throw new IllegalArgumentException("no frame that is not written at byte " + position);
    }
    buffered = Math.toIntExact(position - written);
    nextSequence = sequence;
  }

  /** Returns whether a write or force has failed. Any thread. */
  public boolean isBroken() {
    return failure != null;
  }

  /** Returns the log's file name. */
  public String name() {
    return file.name();
  }

  /**
   * Adds a frame to the buffer. Calls {@link #write} by itself only when the buffer has grown very
   * large.
   *
   * @param kind {@code LogFormat.BATCH} or {@code LogFormat.ADOPT}
   * @param payload its first {@code length} bytes are the payload; they are copied
   * @return the frame's sequence
   */
  public long append(byte kind, byte[] payload, int length) {
    Objects.checkFromIndexSize(0, length, payload.length);
    return append(kind, length, (to, at) -> System.arraycopy(payload, 0, to, at, length));
  }

  /**
   * Does the same with a payload that is written straight into the buffer.
   *
   * @param length the payload's bytes
   * @param payload writes them, all of them
   */
  public long append(byte kind, int length, Payload payload) {
    checkFrame(kind, length);
    checkUsable();
    if (buffered >= WRITE_AT_LATEST) {
      write();
    }
    int bytes = (int) LogFormat.frameBytes(length);
    reserve(bytes);
    int start = buffered;
    LogFormat.putFrameHeader(bufferSegment, start, salt, length, nextSequence, durable.get(), kind);
    int end = start + LogFormat.PAYLOAD + length;
    payload.writeTo(buffer, start + LogFormat.PAYLOAD);
    LogFormat.putFrameCrc(bufferSegment, start, checksum.of(buffer, start, length));
    Arrays.fill(buffer, end, start + bytes, (byte) 0);
    buffered = start + bytes;
    return nextSequence++;
  }

  private static void checkFrame(byte kind, int length) {
    if (!LogFormat.isKind(kind)) {
      throw new IllegalArgumentException("no kind of frame: " + kind);
    }
    if (length > LogFormat.MAX_PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "a payload of %d bytes is longer than the most of %d bytes"
              .formatted(length, LogFormat.MAX_PAYLOAD_BYTES));
    }
  }

  private void reserve(int bytes) {
    long needed = (long) buffered + bytes;
    if (needed > buffer.length) {
      long doubled = Math.min(2L * buffer.length, Integer.MAX_VALUE - 64L);
      buffer = Arrays.copyOf(buffer, (int) Math.max(needed, doubled));
      bufferSegment = MemorySegment.ofArray(buffer);
    }
  }

  /**
   * Hands all frames in the buffer to the operating system: a killed process loses none of them.
   */
  public void write() {
    checkUsable();
    if (buffered == 0) {
      return;
    }
    reserveRoom();
    try {
      file.write(buffer, 0, buffered);
    } catch (StorageFailureException e) {
      failure = e;
      throw e;
    }
    long start = written;
    written = start + buffered;
    buffered = 0;
    if (buffer.length > LARGEST_KEPT_BUFFER) {
      buffer = new byte[INITIAL_BUFFER];
      bufferSegment = MemorySegment.ofArray(buffer);
    }
  }

  /**
   * Makes room for the next small writes, so that forcing them is cheap; a large write pays for its
   * own blocks. The room grows with the log, so that a small database stays small.
   */
  private void reserveRoom() {
    long end = written + buffered;
    if (end > roomEnd && buffered <= SMALL_WRITE && written > 0) {
      long room = Math.clamp(end, LEAST_ROOM, MOST_ROOM);
      file.reserve(buffered + room);
      roomEnd = end + room;
    }
  }

  /** Returns when all frames that were written before the call are on the device. */
  public void force() {
    checkUsable();
    long covered = written;
    try {
      file.force();
    } catch (StorageFailureException e) {
      failure = e;
      throw e;
    }
    durable.accumulateAndGet(covered, Math::max);
  }

  private void checkUsable() {
    StorageFailureException first = failure;
    if (first != null) {
      throw new StorageFailureException(
          "the log %s is broken since an earlier failure: %s"
              .formatted(file.name(), first.getMessage()),
          first,
          first.isDiskFull());
    }
  }

  /** Returns where the next frame will stand; writing thread only. */
  public long position() {
    return written + buffered;
  }

  /** Returns the end of what was handed to the operating system. Any thread. */
  public long writtenPosition() {
    return written;
  }

  /** Returns the end of what was forced. Any thread. */
  public long durablePosition() {
    return durable.get();
  }

  /** Returns the sequence that the next frame will get; writing thread only. */
  public long nextSequence() {
    return nextSequence;
  }

  /** Closes the file. Frames that were not written are lost, and none is forced. Idempotent. */
  @Override
  public void close() {
    file.close();
  }
}
