package io.github.coppicedb.storage;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Makes files and directories that only their owner can read, where the file system can say so. */
final class FilePermissions {
  private static final FileAttribute<?>[] NONE = {};

  private FilePermissions() {}

  /** Makes a file; fails if it exists. */
  static void createFile(Path path) throws IOException {
    Files.createFile(path, attributes(path, "rw-------"));
  }

  /** Makes a file unless it exists. */
  static void createFileIfMissing(Path path) throws IOException {
    if (!Files.exists(path)) {
      try {
        createFile(path);
      } catch (FileAlreadyExistsException e) {
        // Another opener was faster; the file is there, which is all that was asked for.
        return;
      }
    }
  }

  /** Makes a directory; fails if it exists. */
  static void createDirectory(Path path) throws IOException {
    Files.createDirectory(path, attributes(path, "rwx------"));
  }

  /** Returns whether a path lies on a file system with POSIX permissions. */
  static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static FileAttribute<?>[] attributes(Path path, String permissions) {
    if (!isPosix(path)) {
      return NONE;
    }
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
    };
  }
}
