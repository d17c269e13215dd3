package io.github.coppicedb.top;

import java.lang.foreign.MemorySegment;

/**
 * The memory of an arena: one array, and the segment over it that is handed out with values.
 *
 * @param array the bytes
 * @param segment the same bytes
 */
record ArenaBytes(byte[] array, MemorySegment segment) {
  static ArenaBytes of(byte[] array) {
    return new ArenaBytes(array, MemorySegment.ofArray(array));
  }
}
