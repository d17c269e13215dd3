package io.github.coppicedb.cli;

import io.github.coppicedb.Limits;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.Output;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import picocli.CommandLine.Option;

/** How keys and values are read and printed: as they are, or in hex. */
final class BytesOption {
  private static final HexFormat HEX = HexFormat.of();
  private static final char REPLACEMENT = '\uFFFD';

  @Option(names = "--hex", description = "Read and print keys and values in hex.")
  private boolean hex;

  boolean isHex() {
    return hex;
  }

  /** Returns the key that an argument stands for. */
  byte[] key(String what, String argument) {
    byte[] key = bytes(what, argument);
    if (key.length > Limits.MAX_KEY_BYTES) {
      throw CommandException.usage(
          "%s has %d bytes, a key has at most %d"
              .formatted(what, key.length, Limits.MAX_KEY_BYTES));
    }
    return key;
  }

  /** Returns the bytes that an argument stands for. */
  byte[] bytes(String what, String argument) {
    if (!hex) {
      // Java has put this character where the bytes of the argument were not text.
      if (argument.indexOf(REPLACEMENT) >= 0) {
        throw CommandException.usage(
            "%s is not text in this locale; try LC_ALL=C.UTF-8, or --hex".formatted(what));
      }
      return argument.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return HEX.parseHex(argument);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(
          "%s is not hex: '%s'; give two digits a byte".formatted(what, argument));
    }
  }

  /** Returns the bytes that part of an input line stands for. */
  byte[] bytes(long line, byte[] buffer, int start, int end) {
    if (!hex) {
      return java.util.Arrays.copyOfRange(buffer, start, end);
    }
    String digits = new String(buffer, start, end - start, StandardCharsets.ISO_8859_1);
    try {
      return HEX.parseHex(digits);
    } catch (IllegalArgumentException e) {
      throw CommandException.failure("line %d is not hex".formatted(line));
    }
  }

  /** Prints a key or a value. */
  void print(Output out, MemorySegment bytes) {
    if (hex) {
      out.write(
          HEX.formatHex(bytes.toArray(ValueLayout.JAVA_BYTE)).getBytes(StandardCharsets.US_ASCII));
    } else {
      out.write(bytes);
    }
  }
}
