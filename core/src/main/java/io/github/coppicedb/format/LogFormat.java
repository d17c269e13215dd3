package io.github.coppicedb.format;

import java.lang.foreign.MemorySegment;

/**
 * The write-ahead log: a {@linkplain FileHead head}, then frames, each at a multiple of 8 bytes.
 *
 * <pre>
 * head   0  what all heads have: magic "COPP.LOG", version, database id
 *       24  u64  log id, the number in the file's name
 *       32  u64  salt, drawn anew for each log
 *       40  u64  sequence of the first frame
 *       48  12 bytes of zero
 *       60  u32  CRC32C of the head
 *
 * frame  0  u32  "FRAM" xor the low half of the salt
 *        4  u32  payload length
 *        8  u64  sequence, one more than that of the frame before, across logs
 *       16  u64  durable offset: all of this log before it was forced before this frame was written
 *       24  u8   kind
 *       25  3 bytes of zero
 *       28  u32  CRC32C of the salt, of bytes 0 to 27 and of the payload
 *       32  payload, then zeros up to a multiple of 8
 * </pre>
 *
 * The salt keeps frames of another log from passing for frames of this one, when the file system
 * gives out blocks with old bytes. What the durable offset is for is told in {@code LogReader}.
 *
 * <p>The payload of {@link #ADOPT} is u32 count, u32 zero, count times u64 id of a tree file.
 *
 * <p>Stateless. Numbers are little-endian. Kinds stand in files: never renumber.
 */
public final class LogFormat {
  /** The magic of a log: {@code COPP.LOG}. */
  public static final long MAGIC = 0x474F4C2E50504F43L;

  /** The format that is written, and the newest that can be read. */
  public static final int VERSION = 1;

  /** Where the log id stands in the head. */
  public static final int LOG_ID = FileHead.OWN_FIELDS;

  /** Where the salt stands in the head. */
  public static final int SALT = LOG_ID + Long.BYTES;

  /** Where the sequence of the first frame stands in the head. */
  public static final int FIRST_SEQUENCE = SALT + Long.BYTES;

  /** Where the first frame stands in the file. */
  public static final int FIRST_FRAME = FileHead.BYTES;

  /** Frames stand at multiples of this. */
  public static final int ALIGNMENT = 8;

  /** The first word of a frame, before it is mixed with the salt: {@code FRAM}. */
  public static final int FRAME_MAGIC = 0x4D415246;

  /** Where the mixed magic stands in a frame. */
  public static final int FRAME_START = 0;

  /** Where the length of the payload stands in a frame. */
  public static final int PAYLOAD_LENGTH = FRAME_START + Integer.BYTES;

  /** Where the sequence stands in a frame. */
  public static final int SEQUENCE = PAYLOAD_LENGTH + Integer.BYTES;

  /** Where the durable offset stands in a frame. */
  public static final int DURABLE_OFFSET = SEQUENCE + Long.BYTES;

  /** Where the kind stands in a frame. */
  public static final int KIND = DURABLE_OFFSET + Long.BYTES;

  /** Where the checksum stands in a frame. */
  public static final int FRAME_CRC = KIND + Integer.BYTES;

  /** Where the payload stands in a frame. */
  public static final int PAYLOAD = FRAME_CRC + Integer.BYTES;

  /** The longest payload, in bytes. */
  public static final int MAX_PAYLOAD_BYTES = 1 << 30;

  /** Kind of a frame that holds the changes of a commit. */
  public static final byte BATCH = 1;

  /** Kind of a frame that makes tree files part of the database. */
  public static final byte ADOPT = 2;

  private static final int ADOPT_IDS = 2 * Integer.BYTES;

  private LogFormat() {}

  /** Writes the head of a log. */
  public static void putHead(
      MemorySegment head, long databaseId, long logId, long salt, long firstSequence) {
    head.asSlice(0, FileHead.BYTES).fill((byte) 0);
    FileHead.init(head, MAGIC, VERSION, databaseId);
    Bytes.put64(head, LOG_ID, logId);
    Bytes.put64(head, SALT, salt);
    Bytes.put64(head, FIRST_SEQUENCE, firstSequence);
    FileHead.seal(head);
  }

  /** Reads the log id of a head. */
  public static long logId(MemorySegment head) {
    return Bytes.i64(head, LOG_ID);
  }

  /** Reads the salt of a head. */
  public static long salt(MemorySegment head) {
    return Bytes.i64(head, SALT);
  }

  /** Reads the sequence of the first frame from a head. */
  public static long firstSequence(MemorySegment head) {
    return Bytes.i64(head, FIRST_SEQUENCE);
  }

  /** Writes all of a frame's header but the checksum, which {@link FrameChecksum} gives. */
  public static void putFrameHeader(
      MemorySegment log,
      long frame,
      long salt,
      int length,
      long sequence,
      long durable,
      byte kind) {
    Bytes.put32(log, frame + FRAME_START, FRAME_MAGIC ^ (int) salt);
    Bytes.put32(log, frame + PAYLOAD_LENGTH, length);
    Bytes.put64(log, frame + SEQUENCE, sequence);
    Bytes.put64(log, frame + DURABLE_OFFSET, durable);
    Bytes.put32(log, frame + KIND, kind);
  }

  /** Writes the checksum of a frame. */
  public static void putFrameCrc(MemorySegment log, long frame, int crc) {
    Bytes.put32(log, frame + FRAME_CRC, crc);
  }

  /** Returns whether a frame begins as frames of a log with this salt do. */
  public static boolean startsFrame(MemorySegment log, long frame, long salt) {
    return Bytes.i32(log, frame + FRAME_START) == (FRAME_MAGIC ^ (int) salt);
  }

  /** Reads the payload length of a frame. */
  public static long payloadLength(MemorySegment log, long frame) {
    return Bytes.u32(log, frame + PAYLOAD_LENGTH);
  }

  /** Reads the sequence of a frame. */
  public static long sequence(MemorySegment log, long frame) {
    return Bytes.i64(log, frame + SEQUENCE);
  }

  /** Reads the durable offset of a frame. */
  public static long durableOffset(MemorySegment log, long frame) {
    return Bytes.i64(log, frame + DURABLE_OFFSET);
  }

  /** Reads the kind of a frame. */
  public static byte kind(MemorySegment log, long frame) {
    return (byte) Bytes.u8(log, frame + KIND);
  }

  /** Reads the checksum of a frame. */
  public static int frameCrc(MemorySegment log, long frame) {
    return Bytes.i32(log, frame + FRAME_CRC);
  }

  /** Returns the bytes that a frame takes, with the zeros at its end. */
  public static long frameBytes(long payloadLength) {
    return (PAYLOAD + payloadLength + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Returns whether a kind is one of those above. */
  public static boolean isKind(byte kind) {
    return kind == BATCH || kind == ADOPT;
  }

  /** Returns the payload of a frame that adopts tree files. */
  public static byte[] adoptPayload(long[] treeIds) {
    byte[] payload = new byte[ADOPT_IDS + treeIds.length * Long.BYTES];
    MemorySegment segment = MemorySegment.ofArray(payload);
    Bytes.put32(segment, 0, treeIds.length);
    for (int i = 0; i < treeIds.length; i++) {
      Bytes.put64(segment, ADOPT_IDS + (long) i * Long.BYTES, treeIds[i]);
    }
    return payload;
  }

  /**
   * Reads the tree files that a frame adopts.
   *
   * @throws IllegalArgumentException if the payload is malformed
   */
  public static long[] adoptedTrees(MemorySegment payload) {
    long ids = (payload.byteSize() - ADOPT_IDS) / Long.BYTES;
    if (payload.byteSize() < ADOPT_IDS
        || payload.byteSize() != ADOPT_IDS + ids * Long.BYTES
        || Bytes.i64(payload, 0) != ids) {
      throw new IllegalArgumentException(
          "a list of adopted trees cannot have %d bytes".formatted(payload.byteSize()));
    }
    long[] treeIds = new long[(int) ids];
    for (int i = 0; i < treeIds.length; i++) {
      treeIds[i] = Bytes.i64(payload, ADOPT_IDS + (long) i * Long.BYTES);
    }
    return treeIds;
  }
}
