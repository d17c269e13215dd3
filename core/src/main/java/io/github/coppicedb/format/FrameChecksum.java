package io.github.coppicedb.format;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * Computes the checksums of the frames of one log: of its salt, the frame's header and the payload.
 * Keeps its tools between frames; one thread at a time.
 */
public final class FrameChecksum {
  private final byte[] salt = new byte[Long.BYTES];
  private final CRC32C crc = new CRC32C();

  /** Makes the checksum of a log with a salt. */
  public FrameChecksum(long salt) {
    Bytes.put64(MemorySegment.ofArray(this.salt), 0, salt);
  }

  /** Returns the checksum of a frame in a buffer that it is written to. */
  public int of(byte[] buffer, int frame, int payloadLength) {
    crc.reset();
    crc.update(salt);
    crc.update(buffer, frame, LogFormat.FRAME_CRC);
    crc.update(buffer, frame + LogFormat.PAYLOAD, payloadLength);
    return (int) crc.getValue();
  }

  /** Returns the checksum that the frame at an offset should have. */
  public int of(MemorySegment log, long frame, long payloadLength) {
    crc.reset();
    crc.update(salt);
    Checksum.update(crc, log, frame, LogFormat.FRAME_CRC);
    Checksum.update(crc, log, frame + LogFormat.PAYLOAD, payloadLength);
    return (int) crc.getValue();
  }
}
