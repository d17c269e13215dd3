package io.github.coppicedb.top;

import io.github.coppicedb.format.BatchFormat;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.ValueReference;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Turns the records of an arena into a batch of the log and back ({@link BatchFormat}). */
final class BatchCodec {
  private BatchCodec() {}

  /** Returns the size of the batch of all records. */
  static int encodedBytes(byte[] arena, int length, int records) {
    int bytes = BatchFormat.varintBytes(records);
    for (int at = 0; at < length; at = ArenaRecord.end(arena, at)) {
      int keyLength = ArenaRecord.keyLength(arena, at);
      int valueLength = ArenaRecord.valueLength(arena, at);
      bytes += 1 + BatchFormat.varintBytes(keyLength) + BatchFormat.varintBytes(valueLength);
      bytes += keyLength + valueLength;
    }
    return bytes;
  }

  /** Writes the batch of all records and returns the index behind it. */
  static int encode(byte[] arena, int length, int records, byte[] target, int offset) {
    int to = BatchFormat.putVarint(target, offset, records);
    for (int at = 0; at < length; ) {
      int keyLength = ArenaRecord.keyLength(arena, at);
      int valueLength = ArenaRecord.valueLength(arena, at);
      target[to] = ArenaRecord.kind(arena, at);
      to = BatchFormat.putVarint(target, to + 1, keyLength);
      to = BatchFormat.putVarint(target, to, valueLength);
      System.arraycopy(arena, ArenaRecord.keyOffset(at), target, to, keyLength);
      to += keyLength;
      int value = ArenaRecord.valueOffset(arena, at);
      System.arraycopy(arena, value, target, to, valueLength);
      to += valueLength;
      at = value + valueLength;
    }
    return to;
  }

  /** Appends the records of a batch to a top, if all of the batch is sound. */
  static void decode(MemorySegment batch, ArenaTop into) {
    long count = BatchFormat.varint(batch, 0);
    long begin = count >>> 32;
    long at = begin;
    for (int i = 0; i < (int) count; i++) {
      at = check(batch, at);
    }
    if (at != batch.byteSize()) {
      throw new IllegalArgumentException("the batch goes on behind its last record at byte " + at);
    }
    for (at = begin; at < batch.byteSize(); ) {
      at = apply(batch, at, into);
    }
  }

  /** Checks the record at an offset and returns the offset behind it. */
  private static long check(MemorySegment batch, long at) {
    if (at >= batch.byteSize()) {
      throw new IllegalArgumentException("the batch ends before its last record");
    }
    int kind = Bytes.u8(batch, at);
    long keyLength = BatchFormat.varint(batch, at + 1);
    long key = at + 1 + (keyLength >>> 32);
    long valueLength = BatchFormat.varint(batch, key);
    key += valueLength >>> 32;
    long end = key + (int) keyLength + (int) valueLength;
    if (end > batch.byteSize()) {
      throw new IllegalArgumentException("the batch ends inside the record at byte " + at);
    }
    if ((int) keyLength > BatchFormat.MAX_KEY_BYTES) {
      throw new IllegalArgumentException("too long a key in the record at byte " + at);
    }
    boolean isSound =
        switch (kind) {
          case EntryKind.PUT -> true;
          case EntryKind.TOMBSTONE -> (int) valueLength == 0;
          case EntryKind.LARGE -> (int) valueLength == ValueReference.BYTES;
          case BatchFormat.MASK -> isRange(batch, key, (int) keyLength, (int) valueLength);
          default -> false;
        };
    if (!isSound) {
      throw new IllegalArgumentException(
          "bad record of kind %d in the batch at byte %d".formatted(kind, at));
    }
    return end;
  }

  /** Returns whether the two ends, which lie side by side, make a range with room for a key. */
  private static boolean isRange(MemorySegment batch, long low, int lowLength, int highLength) {
    if (highLength == 0) {
      return true;
    }
    byte[] lowEnd = copy(batch, low, lowLength);
    byte[] highEnd = copy(batch, low + lowLength, highLength);
    return highLength <= BatchFormat.MAX_KEY_BYTES && Arrays.compareUnsigned(lowEnd, highEnd) < 0;
  }

  private static long apply(MemorySegment batch, long at, ArenaTop into) {
    byte kind = (byte) Bytes.u8(batch, at);
    long keyNumber = BatchFormat.varint(batch, at + 1);
    long key = at + 1 + (keyNumber >>> 32);
    long valueNumber = BatchFormat.varint(batch, key);
    key += valueNumber >>> 32;
    int keyLength = (int) keyNumber;
    int valueLength = (int) valueNumber;
    if (kind == BatchFormat.MASK) {
      byte[] high = copy(batch, key + keyLength, valueLength);
      into.maskRange(copy(batch, key, keyLength), valueLength == 0 ? null : high);
    } else {
      into.putJoined(kind, keyLength, batch, key, valueLength);
    }
    return key + keyLength + valueLength;
  }

  private static byte[] copy(MemorySegment source, long offset, int length) {
    byte[] copy = new byte[length];
    MemorySegment.copy(source, offset, MemorySegment.ofArray(copy), 0, length);
    return copy;
  }

  /** Returns the ids of the files that records of large values refer to, ascending. */
  static long[] largeFiles(byte[] arena, int length) {
    MemorySegment segment = MemorySegment.ofArray(arena);
    long[] ids = new long[4];
    int count = 0;
    for (int at = 0; at < length; at = ArenaRecord.end(arena, at)) {
      if (ArenaRecord.kind(arena, at) == EntryKind.LARGE) {
        if (count == ids.length) {
          ids = Arrays.copyOf(ids, 2 * count);
        }
        ids[count++] = ValueReference.fileId(segment, ArenaRecord.valueOffset(arena, at));
      }
    }
    return Arrays.stream(ids, 0, count).sorted().distinct().toArray();
  }
}
