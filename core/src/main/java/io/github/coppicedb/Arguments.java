package io.github.coppicedb;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/** Checks of what users pass in, made before anything changes. */
final class Arguments {
  private static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[0]);

  private Arguments() {}

  static byte[] key(byte[] key) {
    checkKeyLength(Objects.requireNonNull(key, "key").length);
    return key;
  }

  static byte[] key(MemorySegment key) {
    long length = Objects.requireNonNull(key, "key").byteSize();
    checkKeyLength(length);
    byte[] copy = new byte[(int) length];
    MemorySegment.ofArray(copy).copyFrom(key);
    return copy;
  }

  /**
   * Returns an end that divides the keys as the given one does, and is at most one byte longer than
   * a key: what a longer one has behind that is never compared.
   */
  static byte[] rangeEnd(byte[] end) {
    int most = Limits.MAX_KEY_BYTES + 1;
    return end.length > most ? Arrays.copyOf(end, most) : end;
  }

  static MemorySegment value(byte[] value) {
    boolean isEmpty = Objects.requireNonNull(value, "value").length == 0;
    return isEmpty ? EMPTY : value(MemorySegment.ofArray(value));
  }

  static MemorySegment value(MemorySegment value) {
    long length = Objects.requireNonNull(value, "value").byteSize();
    if (length > Limits.MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "the value has %d bytes, the limit is %d".formatted(length, Limits.MAX_VALUE_BYTES));
    }
    return value;
  }

  static String tableName(String name) {
    int length = Objects.requireNonNull(name, "name").getBytes(StandardCharsets.UTF_8).length;
    if (length == 0 || length > Limits.MAX_TABLE_NAME_BYTES) {
      throw new IllegalArgumentException(
          "the table name has %d bytes of UTF-8, it must have 1 to %d"
              .formatted(length, Limits.MAX_TABLE_NAME_BYTES));
    }
    return name;
  }

  private static void checkKeyLength(long length) {
    if (length > Limits.MAX_KEY_BYTES) {
      throw new IllegalArgumentException(
          "the key has %d bytes, the limit is %d".formatted(length, Limits.MAX_KEY_BYTES));
    }
  }
}
