package io.github.coppicedb.storage;

import io.github.coppicedb.LockedException;
import io.github.coppicedb.format.FileNames;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one directory: an exclusive lock of the operating system on the file {@code LOCK},
 * and an entry in {@link LockRegistry}. The operating system drops the lock when the process ends,
 * however it ends; a file that is left over never blocks. The file's text is only information.
 *
 * <p>Invariant: while the lock is held nobody else in this process opens {@code LOCK}, and no
 * interruptible call is made on its channel. The locked byte lies far behind the text, so that the
 * text can be read where locks are mandatory (Windows).
 */
final class DirectoryLock implements AutoCloseable {
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;
  private static final int MOST_TEXT = 512;

  private final Path realPath;
  private final RandomAccessFile file;

  private DirectoryLock(Path realPath, RandomAccessFile file) {
    this.realPath = realPath;
    this.file = file;
  }

  /**
   * Locks a directory that exists.
   *
   * @throws LockedException if it is locked
   * @throws IOException if the lock file cannot be made or locked
   */
  static DirectoryLock acquire(Path directory) throws IOException {
    Path realPath = directory.toRealPath();
    Path path = realPath.resolve(FileNames.LOCK);
    FilePermissions.createFileIfMissing(path);
    String text = describeThisProcess();
    Object fileKey = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    String holder = LockRegistry.enter(realPath, fileKey, text);
    if (holder != null) {
      throw locked(realPath, "this process", holder);
    }
    try {
      return new DirectoryLock(realPath, lock(realPath, path, text));
    } catch (IOException | RuntimeException e) {
      LockRegistry.leave(realPath);
      throw e;
    }
  }

  private static RandomAccessFile lock(Path directory, Path path, String text) throws IOException {
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    try {
      if (tryLock(file) == null) {
        throw locked(directory, "another process", readText(file));
      }
      file.setLength(0);
      file.write(text.getBytes(StandardCharsets.UTF_8));
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static @Nullable FileLock tryLock(RandomAccessFile file) throws IOException {
    try {
      return file.getChannel().tryLock(LOCKED_BYTE, 1, false);
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static LockedException locked(Path directory, String by, String holder) {
    String known = holder.isBlank() ? "no details are known" : holder.strip();
    return new LockedException(
        "%s is open already in %s (%s): close it there first".formatted(directory, by, known));
  }

  private static String readText(RandomAccessFile file) throws IOException {
    byte[] text = new byte[MOST_TEXT];
    int length = file.read(text);
    return new String(text, 0, Math.max(length, 0), StandardCharsets.UTF_8);
  }

  private static String describeThisProcess() {
    return "pid %d, host %s, since %s%n"
        .formatted(
            ProcessHandle.current().pid(),
            hostName(),
            Instant.now().truncatedTo(ChronoUnit.SECONDS));
  }

  /** Asks the kernel, then the environment: a name service could make an open wait for seconds. */
  private static String hostName() {
    try (FileInputStream in = new FileInputStream("/proc/sys/kernel/hostname")) {
      return new String(in.readNBytes(MOST_TEXT / 2), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      String name = System.getenv("HOSTNAME");
      String windowsName = System.getenv("COMPUTERNAME");
      return name != null ? name : windowsName != null ? windowsName : "unknown";
    }
  }

  /** Unlocks. The file stays, since removing it would let two processes lock two files. */
  @Override
  public void close() throws IOException {
    try {
      file.close();
    } finally {
      LockRegistry.leave(realPath);
    }
  }
}
