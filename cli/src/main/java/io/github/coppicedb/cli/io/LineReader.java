package io.github.coppicedb.cli.io;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Splits a stream of bytes at its newlines, without making text of it. The line found last lies in
 * {@link #buffer} from {@link #start} to {@link #end}, until the next one is asked for. A last line
 * needs no newline; a carriage return is a byte like any other. For one thread.
 */
public final class LineReader {
  private static final int FIRST_BUFFER_BYTES = 1 << 20;

  private final InputStream in;
  private final long maxLineBytes;
  private byte[] buffer = new byte[FIRST_BUFFER_BYTES];
  // buffer[start, end) is the line, buffer[next, filled) is what was read beyond it.
  private int start;
  private int end;
  private int next;
  private int filled;
  private boolean ended;
  private long number;
  private long bytesBefore;

  /**
   * Reads a stream, which the caller closes.
   *
   * @param maxLineBytes a longer line is an error
   */
  public LineReader(InputStream in, long maxLineBytes) {
    this.in = in;
    this.maxLineBytes = Math.min(maxLineBytes, Integer.MAX_VALUE - 16);
  }

  /**
   * Finds the next line and returns whether there is one.
   *
   * @throws CommandException when the line is longer than allowed
   */
  public boolean next() throws IOException {
    int at = next;
    while (true) {
      int newline = newlineFrom(at);
      if (newline >= 0) {
        return found(newline, newline + 1);
      }
      if (filled - next > maxLineBytes) {
        throw tooLong();
      }
      int searched = filled - next;
      if (ended || !fill()) {
        return filled > next && found(filled, filled);
      }
      at = next + searched;
    }
  }

  /** Returns the bytes that {@link #start} and {@link #end} point into; not to be changed. */
  public byte[] buffer() {
    return buffer;
  }

  /** Returns where the line begins. */
  public int start() {
    return start;
  }

  /** Returns where the line ends: its newline is not part of it. */
  public int end() {
    return end;
  }

  /** Returns a copy of the line. */
  public byte[] line() {
    return Arrays.copyOfRange(buffer, start, end);
  }

  /** Returns the number of the line, from 1. */
  public long number() {
    return number;
  }

  /** Returns how many bytes the lines so far took, their newlines among them. */
  public long bytesConsumed() {
    return bytesBefore + next;
  }

  private int newlineFrom(int from) {
    byte[] bytes = buffer;
    int limit = filled;
    for (int i = from; i < limit; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private boolean found(int lineEnd, int nextStart) {
    if (lineEnd - next > maxLineBytes) {
      throw tooLong();
    }
    start = next;
    end = lineEnd;
    next = nextStart;
    number++;
    return true;
  }

  private CommandException tooLong() {
    return CommandException.failure(
        "line %d is longer than %d bytes".formatted(number + 1, maxLineBytes));
  }

  /** Reads more behind what is there; returns false at the end of the stream. */
  private boolean fill() throws IOException {
    if (next > 0) {
      System.arraycopy(buffer, next, buffer, 0, filled - next);
      bytesBefore += next;
      filled -= next;
      next = 0;
    }
    if (filled == buffer.length) {
      int size = (int) Math.min(2L * buffer.length, Integer.MAX_VALUE - 8);
      buffer = Arrays.copyOf(buffer, size);
    }
    int count = in.read(buffer, filled, buffer.length - filled);
    if (count < 0) {
      ended = true;
      return false;
    }
    filled += count;
    return true;
  }
}
