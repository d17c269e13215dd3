package io.github.coppicedb.testkit;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * The text form of keys and values in histories, so that long ones stay short to read.
 *
 * <pre>
 * blob  = "-" | piece { "+" piece }        "-" is the empty blob
 * piece = hex [ "*" count ]                the bytes, so many times
 *       | "r" length "." seed              random bytes, the same for the same seed
 * </pre>
 */
public final class Blob {
  private static final String EMPTY = "-";

  private Blob() {}

  /** Returns the bytes that a text form stands for. */
  public static byte[] decode(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (!text.equals(EMPTY)) {
      for (String piece : text.split("\\+", -1)) {
        out.writeBytes(piece.startsWith("r") ? random(piece) : repeated(piece));
      }
    }
    return out.toByteArray();
  }

  /** Returns the text form of some bytes, byte by byte. */
  public static String encode(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : HexFormat.of().formatHex(bytes);
  }

  /** Returns the text form for messages: long bytes are cut, with their length. */
  public static String brief(byte[] bytes) {
    int shown = Math.min(bytes.length, 24);
    String begin = HexFormat.of().formatHex(bytes, 0, shown);
    return shown == bytes.length ? encode(bytes) : "%s...(%d bytes)".formatted(begin, bytes.length);
  }

  private static byte[] random(String piece) {
    int dot = piece.indexOf('.');
    byte[] bytes = new byte[Integer.parseInt(piece.substring(1, dot))];
    new SplittableRandom(Long.parseLong(piece.substring(dot + 1))).nextBytes(bytes);
    return bytes;
  }

  private static byte[] repeated(String piece) {
    int star = piece.indexOf('*');
    if (star < 0) {
      return HexFormat.of().parseHex(piece);
    }
    byte[] unit = HexFormat.of().parseHex(piece.substring(0, star));
    int count = Integer.parseInt(piece.substring(star + 1));
    byte[] bytes = new byte[unit.length * count];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = unit[i % unit.length];
    }
    return bytes;
  }
}
