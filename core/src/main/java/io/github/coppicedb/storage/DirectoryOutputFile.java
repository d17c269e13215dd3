package io.github.coppicedb.storage;

import io.github.coppicedb.StorageFailureException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A file that is written through {@link RandomAccessFile}, whose calls are not interruptible: an
 * interrupt neither fails a write nor closes the file. Bytes pass in pieces of at most {@link
 * #PIECE}, so that a buffer of the runtime does not grow with the source; no smaller ones, as what
 * the page cache keeps in one stretch of memory is what came with one call.
 *
 * <p>After a failed write or force every later one fails: what reached the device is not known, and
 * a second force can succeed though the bytes of the first are lost.
 *
 * <p>One thread writes; {@link #force}, {@link #position} and {@link #close} may be called by
 * others.
 */
final class DirectoryOutputFile implements OutputFile {
  private static final int PIECE = 4 << 20;
  private static final int SCRATCH = 256 << 10;

  private final Path path;
  private final RandomAccessFile file;
  private byte[] scratch = {};
  private volatile long position;
  private long roomEnd;
  private volatile boolean failed;

  private DirectoryOutputFile(Path path, RandomAccessFile file) {
    this.path = path;
    this.file = file;
  }

  /** Makes a new file; fails if it exists. */
  static DirectoryOutputFile create(Path path) throws IOException {
    FilePermissions.createFile(path);
    return open(path);
  }

  /** Opens a file that is there, for writing from its begin. */
  static DirectoryOutputFile open(Path path) throws IOException {
    return new DirectoryOutputFile(path, new RandomAccessFile(path.toFile(), "rw"));
  }

  @Override
  public String name() {
    return path.getFileName().toString();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, source.length);
    checkUsable("write");
    long start = position;
    try {
      for (int done = 0; done < length; done += PIECE) {
        file.write(source, offset + done, Math.min(PIECE, length - done));
      }
    } catch (IOException e) {
      throw fail("write", e);
    }
    position = start + length;
  }

  @Override
  public void write(MemorySegment source) {
    long size = source.byteSize();
    if (scratch.length < Math.min(SCRATCH, size)) {
      scratch = new byte[(int) Math.min(SCRATCH, size)];
    }
    for (long done = 0; done < size; done += SCRATCH) {
      int part = (int) Math.min(SCRATCH, size - done);
      MemorySegment.copy(source, done, MemorySegment.ofArray(scratch), 0, part);
      write(scratch, 0, part);
    }
  }

  /** Writes zeros: a file that was only made longer would get its blocks at the next force. */
  @Override
  public void reserve(long bytes) {
    long end = position + bytes;
    if (failed || end <= roomEnd) {
      return;
    }
    byte[] zeros = new byte[(int) Math.min(SCRATCH, bytes)];
    try {
      long at = Math.max(position, roomEnd);
      file.seek(at);
      while (at < end) {
        int part = (int) Math.min(zeros.length, end - at);
        file.write(zeros, 0, part);
        at += part;
      }
      roomEnd = end;
      file.seek(position);
    } catch (IOException e) {
      restorePosition(e);
    }
  }

  /** There is no room, which is no failure: what the next write does shows whether one is near. */
  private void restorePosition(IOException cause) {
    try {
      roomEnd = Math.max(position, file.length());
      file.seek(position);
    } catch (IOException e) {
      e.addSuppressed(cause);
      throw fail("write", e);
    }
  }

  @Override
  public void force() {
    checkUsable("force");
    try {
      Forces.force(file, path);
    } catch (IOException e) {
      throw fail("force", e);
    }
  }

  @Override
  public void close() {
    try (file) {
      if (file.getFD().valid() && !failed && position < roomEnd) {
        file.setLength(position);
      }
    } catch (IOException e) {
      throw fail("close", e);
    }
  }

  private void checkUsable(String action) {
    if (failed) {
      throw Failures.of(action, path, new IOException("an earlier write or force failed"));
    }
  }

  private StorageFailureException fail(String action, IOException cause) {
    failed = true;
    return Failures.of(action, path, cause);
  }
}
