package io.github.coppicedb.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/**
 * A file mapped read-only into a shared arena. The channel is closed as soon as the mapping is
 * made. Thread-safe.
 */
final class DirectoryMappedFile implements MappedFile {
  private static final long RETRY_NANOS = 100_000;

  private final String name;
  private final Arena arena;
  private final MemorySegment segment;

  private DirectoryMappedFile(String name, Arena arena, MemorySegment segment) {
    this.name = name;
    this.arena = arena;
    this.segment = segment;
  }

  /** Maps a file as long as it is now. */
  @SuppressWarnings("MustBeClosedChecker") // The arena lives as long as the mapping it is for.
  static DirectoryMappedFile map(Path path) throws IOException {
    Arena arena = Arena.ofShared();
    try {
      MemorySegment segment = Uninterrupted.run(() -> map(path, arena));
      return new DirectoryMappedFile(path.getFileName().toString(), arena, segment);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  private static MemorySegment map(Path path, Arena arena) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  /**
   * Unmaps. A checksum or a write that is reading the segment in another thread keeps the arena
   * from closing for a moment; then this waits.
   */
  @Override
  public synchronized void close() {
    while (arena.scope().isAlive()) {
      try {
        arena.close();
      } catch (IllegalStateException e) {
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }
}
