package io.github.coppicedb.storage;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.LockedException;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.format.FileNames;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * The files of a directory of the operating system. Holds the directory's lock from open to close,
 * so that one process at a time, and one storage in it, uses the directory. The file {@code LOCK}
 * belongs to this class alone: it is not listed, and no call can name it.
 *
 * <p>Thread-safe. Interrupts are harmless: files are written through {@link RandomAccessFile}, and
 * the two uses of a channel (mapping, forcing the directory) own it and are repeated when
 * disturbed.
 */
public final class DirectoryStorage implements Storage {
  private final Path directory;
  private final DirectoryLock lock;
  private volatile boolean closed;

  private DirectoryStorage(Path directory, DirectoryLock lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /**
   * Opens and locks a directory.
   *
   * @param createIfMissing whether a missing directory, and missing parents, are made; new ones can
   *     be read by their owner only
   * @throws LockedException if it is open already, here or in another process
   * @throws StorageFailureException if it is missing, no directory, or cannot be written
   */
  public static DirectoryStorage open(Path directory, boolean createIfMissing) {
    Path absolute = directory.toAbsolutePath().normalize();
    if (!Files.exists(absolute)) {
      create(absolute, createIfMissing);
    }
    if (!Files.isDirectory(absolute)) {
      throw refusal(absolute, "it is not a directory: name a directory, or remove the file");
    }
    if (!createIfMissing && !holdsDatabase(absolute)) {
      // Said before the lock is taken, which would leave its file behind.
      throw noDatabase(absolute.toString());
    }
    try {
      return new DirectoryStorage(absolute, DirectoryLock.acquire(absolute));
    } catch (IOException e) {
      if (!Files.isWritable(absolute)) {
        throw refusal(absolute, "it is not writable: give this user the right to write there");
      }
      throw Failures.of("lock", absolute, e);
    }
  }

  /** Returns what to throw when there is no database, and none may be made. */
  public static StorageFailureException noDatabase(String location) {
    return new StorageFailureException(
        "there is no database in %s (no file %s); check the path, or let it be created"
            .formatted(location, FileNames.MANIFEST),
        null);
  }

  /** Returns whether any file of a database is there, be it without its manifest. */
  private static boolean holdsDatabase(Path directory) {
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
      for (Path path : paths) {
        String name = path.getFileName().toString();
        if (name.equals(FileNames.MANIFEST) || FileNames.isNumbered(name)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw Failures.of("list", directory, e);
    }
  }

  private static void create(Path directory, boolean createIfMissing) {
    if (!createIfMissing) {
      throw refusal(directory, "it is missing: check the path, or open with createIfMissing");
    }
    Deque<Path> missing = new ArrayDeque<>();
    for (Path path = directory; path != null && !Files.exists(path); path = path.getParent()) {
      missing.push(path);
    }
    try {
      for (Path path : missing) {
        if (!Files.isDirectory(path)) {
          FilePermissions.createDirectory(path);
        }
        forceDirectory(path.resolveSibling(""));
      }
    } catch (IOException e) {
      throw Failures.of("create the directory", directory, e);
    }
  }

  private static StorageFailureException refusal(Path directory, String reason) {
    String message = "cannot open %s: %s".formatted(directory, reason);
    return new StorageFailureException(message, new IOException(reason));
  }

  @Override
  public String location() {
    return directory.toString();
  }

  @Override
  public List<String> list() {
    checkOpen();
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
      for (Path path : paths) {
        String name = path.getFileName().toString();
        if (Files.isRegularFile(path) && !name.equals(FileNames.LOCK)) {
          names.add(name);
        }
      }
    } catch (IOException e) {
      throw Failures.of("list", directory, e);
    }
    Collections.sort(names);
    return names;
  }

  @Override
  public OutputFile create(String name) {
    Path path = resolve(name);
    try {
      return DirectoryOutputFile.create(path);
    } catch (IOException e) {
      throw Failures.of("create", path, e);
    }
  }

  @Override
  public MappedFile map(String name) {
    Path path = resolve(name);
    try {
      return DirectoryMappedFile.map(path);
    } catch (IOException e) {
      throw Failures.of("map", path, e);
    }
  }

  @Override
  public long size(String name) {
    Path path = resolve(name);
    try {
      return Files.size(path);
    } catch (IOException e) {
      throw Failures.of("measure", path, e);
    }
  }

  @Override
  public void truncate(String name, long length) {
    Path path = resolve(name);
    long size = size(name);
    if (length < 0 || length > size) {
      throw new IllegalArgumentException(
          "cannot cut %s of %d bytes to %d bytes".formatted(name, size, length));
    }
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
      Forces.force(file, path);
    } catch (IOException e) {
      throw Failures.of("truncate", path, e);
    }
  }

  @Override
  public void rename(String from, String to) {
    Path source = resolve(from);
    Path target = resolve(to);
    try {
      Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw Failures.of("rename to " + to + " the file", source, e);
    }
  }

  @Override
  public void delete(String name) {
    Path path = resolve(name);
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw Failures.of("delete", path, e);
    }
  }

  @Override
  public void forceDirectory() {
    checkOpen();
    try {
      forceDirectory(directory);
    } catch (IOException e) {
      throw Failures.of("force", directory, e);
    }
  }

  private static void forceDirectory(Path directory) throws IOException {
    if (!FilePermissions.isPosix(directory)) {
      // Windows cannot open a directory as a file, and orders changes of names by its own journal.
      return;
    }
    try {
      Uninterrupted.run(
          () -> {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
              channel.force(true);
            }
            return true;
          });
    } catch (IOException e) {
      if (!saysNotSupported(e)) {
        throw e;
      }
    }
  }

  private static boolean saysNotSupported(IOException e) {
    String message = e.getMessage();
    return message != null
        && (message.contains("Invalid argument") || message.contains("not supported"));
  }

  private Path resolve(String name) {
    checkOpen();
    boolean plain = !name.isEmpty() && !name.equals(".") && !name.equals("..");
    for (int i = 0; i < name.length(); i++) {
      plain &= "/\\:\0".indexOf(name.charAt(i)) < 0;
    }
    if (!plain || name.equals(FileNames.LOCK)) {
      throw new IllegalArgumentException("not the name of a file of a database: " + name);
    }
    return directory.resolve(name);
  }

  private void checkOpen() {
    if (closed) {
      throw new ClosedException("the directory " + directory + " is closed");
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      lock.close();
    } catch (IOException e) {
      throw Failures.of("unlock", directory, e);
    }
  }
}
