package io.github.coppicedb.cli.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a standard stream is connected to. {@link System#console} cannot tell: it speaks of the
 * input and the output together and never of the error stream. So the descriptor itself is looked
 * at, which Linux and macOS allow through {@code /dev/fd}. Elsewhere a stream is taken for a file.
 */
final class Descriptors {
  static final int OUT = 1;
  static final int ERR = 2;

  private static final int TYPE_MASK = 0170000;
  private static final int CHARACTER_DEVICE = 0020000;
  private static final int PIPE = 0010000;
  private static final int SOCKET = 0140000;

  private Descriptors() {}

  /** Returns whether a person looks at the stream. */
  static boolean isTerminal(int descriptor) {
    try {
      return type(descriptor) == CHARACTER_DEVICE && !isNullDevice(descriptor);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Returns whether a failed write to the stream means that its reader has gone. */
  static boolean isPipe(int descriptor) {
    try {
      int type = type(descriptor);
      return type == PIPE || type == SOCKET;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static int type(int descriptor) throws IOException {
    return (int) Files.getAttribute(file(descriptor), "unix:mode") & TYPE_MASK;
  }

  private static boolean isNullDevice(int descriptor) throws IOException {
    Object device = Files.getAttribute(file(descriptor), "unix:rdev");
    return device.equals(Files.getAttribute(Path.of("/dev/null"), "unix:rdev"));
  }

  private static Path file(int descriptor) {
    return Path.of("/dev/fd", Integer.toString(descriptor));
  }
}
