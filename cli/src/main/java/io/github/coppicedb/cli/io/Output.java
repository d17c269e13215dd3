package io.github.coppicedb.cli.io;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * The standard output: raw bytes through one buffer. A reader that has gone ends the command by an
 * {@link OutputClosedException}, any other failure by a {@link CommandException}. For one thread.
 */
public final class Output extends OutputStream {
  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputStream target;
  private final boolean pipe;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int used;

  /**
   * Writes to a stream.
   *
   * @param pipe whether a failed write means that the reader has gone
   */
  public Output(OutputStream target, boolean pipe) {
    this.target = target;
    this.pipe = pipe;
  }

  @Override
  public void write(int one) {
    if (used == buffer.length) {
      empty();
    }
    buffer[used++] = (byte) one;
  }

  @Override
  public void write(byte[] bytes) {
    write(bytes, 0, bytes.length);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    write(MemorySegment.ofArray(bytes).asSlice(offset, length));
  }

  /** Writes the bytes of a segment. */
  public void write(MemorySegment bytes) {
    long done = 0;
    while (done < bytes.byteSize()) {
      if (used == buffer.length) {
        empty();
      }
      int part = (int) Math.min(bytes.byteSize() - done, buffer.length - used);
      MemorySegment.copy(bytes, JAVA_BYTE, done, buffer, used, part);
      used += part;
      done += part;
    }
  }

  /** Writes text in UTF-8 and ends the line. */
  public void line(String text) {
    write(text.getBytes(StandardCharsets.UTF_8));
    write('\n');
  }

  @Override
  public void flush() {
    empty();
    try {
      target.flush();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  @Override
  public void close() {
    flush();
  }

  /** Gives up what was not written yet. */
  public void discard() {
    used = 0;
  }

  private void empty() {
    int length = used;
    used = 0;
    try {
      target.write(buffer, 0, length);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private RuntimeException failure(IOException e) {
    return pipe
        ? new OutputClosedException(e)
        : CommandException.failure("cannot write to the standard output: " + e.getMessage(), e);
  }
}
