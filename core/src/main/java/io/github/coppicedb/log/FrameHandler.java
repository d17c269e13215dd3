package io.github.coppicedb.log;

import java.lang.foreign.MemorySegment;

/** Takes the frames of a log in order. */
@FunctionalInterface
public interface FrameHandler {
  /**
   * Takes one frame, whose checksum was right.
   *
   * @param offset where the frame begins in its log, for messages
   * @param sequence its sequence
   * @param kind {@code LogFormat.BATCH} or {@code LogFormat.ADOPT}
   * @param payload its payload, read-only, valid during the call only
   * @throws IllegalArgumentException if the payload is malformed; the reader reports it as damage
   */
  void frame(long offset, long sequence, byte kind, MemorySegment payload);
}
