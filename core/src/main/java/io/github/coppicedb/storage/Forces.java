package io.github.coppicedb.storage;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * Brings a file's bytes to the device. {@link java.io.FileDescriptor#sync} is not interruptible and
 * is enough, but on macOS: there {@code fsync} leaves bytes in the drive's cache, and only {@link
 * FileChannel#force} is known to empty it. So there a channel of its own forces the file, whoever
 * wrote the bytes. Stateless.
 */
final class Forces {
  private static final boolean BY_CHANNEL = needsChannel(System.getProperty("os.name", ""));

  private Forces() {}

  /** Returns when all bytes that were written to the file are on the device. */
  static void force(RandomAccessFile file, Path path) throws IOException {
    if (BY_CHANNEL) {
      forceByChannel(path);
    } else {
      file.getFD().sync();
    }
  }

  static boolean needsChannel(String operatingSystem) {
    return operatingSystem.toLowerCase(Locale.ROOT).startsWith("mac");
  }

  static void forceByChannel(Path path) throws IOException {
    Uninterrupted.run(
        () -> {
          try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.force(true);
          }
          return true;
        });
  }
}
