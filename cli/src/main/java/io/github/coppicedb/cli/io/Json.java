package io.github.coppicedb.cli.io;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Builds one JSON object (RFC 8259), its members in the order they are put. For one thread. */
public final class Json {
  private static final char REPLACEMENT = '\uFFFD';

  private final StringBuilder text = new StringBuilder("{");

  /** Adds a string. */
  public Json put(String name, String value) {
    name(name);
    quote(value);
    return this;
  }

  /** Adds a whole number. */
  public Json put(String name, long value) {
    name(name);
    text.append(value);
    return this;
  }

  /** Adds a number with three decimals; one that is not finite becomes null. */
  public Json put(String name, double value) {
    name(name);
    text.append(Double.isFinite(value) ? String.format(Locale.ROOT, "%.3f", value) : "null");
    return this;
  }

  /** Adds true or false. */
  public Json put(String name, boolean value) {
    name(name);
    text.append(value);
    return this;
  }

  /**
   * Adds bytes: as a string when they are UTF-8 and hex is not asked for, else in hex under the
   * name followed by {@code Hex}.
   */
  public Json put(String name, byte[] bytes, boolean hex) {
    String decoded = new String(bytes, StandardCharsets.UTF_8);
    if (hex || !isFaithful(decoded, bytes)) {
      return put(name + "Hex", HexFormat.of().formatHex(bytes));
    }
    return put(name, decoded);
  }

  /** Adds an array of strings. */
  public Json putStrings(String name, List<String> values) {
    name(name);
    text.append('[');
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? "" : ",");
      quote(values.get(i));
    }
    text.append(']');
    return this;
  }

  /** Adds an array of objects. */
  public Json putObjects(String name, List<Json> values) {
    name(name);
    text.append('[');
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? "" : ",").append(values.get(i));
    }
    text.append(']');
    return this;
  }

  /** Returns the object as text, on one line. */
  @Override
  public String toString() {
    return text + "}";
  }

  /**
   * Decoding puts a replacement character where bytes are not UTF-8, and the bytes may hold one.
   */
  private static boolean isFaithful(String decoded, byte[] bytes) {
    return decoded.indexOf(REPLACEMENT) < 0
        || Arrays.equals(decoded.getBytes(StandardCharsets.UTF_8), bytes);
  }

  private void name(String name) {
    if (text.length() > 1) {
      text.append(',');
    }
    quote(name);
    text.append(':');
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        default -> {
          if (c < ' ') {
            text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }
}
