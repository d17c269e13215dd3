package io.github.coppicedb.cli;

import io.github.coppicedb.Limits;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.LineReader;
import java.io.IOException;
import java.io.InputStream;

/** Reads the rows that are to be loaded, one a line. For one thread. */
final class RowReader {
  private static final byte[] EMPTY = {};
  private static final int HEX_DIGITS = 2;
  private static final int TAB_BYTES = 1;

  private final LineReader lines;
  private final BytesOption format;
  private final boolean values;
  private byte[] key = EMPTY;
  private byte[] value = EMPTY;

  RowReader(InputStream in, BytesOption format, boolean values) {
    long longest =
        values
            ? (long) Limits.MAX_KEY_BYTES + TAB_BYTES + Limits.MAX_VALUE_BYTES
            : Limits.MAX_KEY_BYTES;
    this.lines = new LineReader(in, format.isHex() ? HEX_DIGITS * longest : longest);
    this.format = format;
    this.values = values;
  }

  /**
   * Reads the next row and returns whether there is one.
   *
   * @throws CommandException naming the line, when it is no row
   */
  boolean next() throws IOException {
    if (!lines.next()) {
      return false;
    }
    byte[] buffer = lines.buffer();
    int keyEnd = lines.end();
    if (values) {
      keyEnd = tab(buffer, lines.start(), lines.end());
      value = format.bytes(lines.number(), buffer, keyEnd + TAB_BYTES, lines.end());
    }
    key = format.bytes(lines.number(), buffer, lines.start(), keyEnd);
    if (key.length > Limits.MAX_KEY_BYTES) {
      throw tooLong("key", key.length, Limits.MAX_KEY_BYTES);
    }
    if (value.length > Limits.MAX_VALUE_BYTES) {
      throw tooLong("value", value.length, Limits.MAX_VALUE_BYTES);
    }
    return true;
  }

  byte[] key() {
    return key;
  }

  byte[] value() {
    return value;
  }

  /** Returns how many bytes of the input the rows so far took. */
  long bytesConsumed() {
    return lines.bytesConsumed();
  }

  private int tab(byte[] buffer, int start, int end) {
    for (int i = start; i < end; i++) {
      if (buffer[i] == '\t') {
        return i;
      }
    }
    throw CommandException.failure(
        "line %d has no tab between a key and a value".formatted(lines.number()));
  }

  private CommandException tooLong(String what, int length, int limit) {
    return CommandException.failure(
        "line %d: a %s of %d bytes, the limit is %d"
            .formatted(lines.number(), what, length, limit));
  }
}
