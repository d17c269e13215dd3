package io.github.coppicedb.verify;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Keys of all sorts, short to write. */
final class Keys {
  private Keys() {}

  /** Returns the bytes of a text. */
  static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the bytes of hexadecimal digits. */
  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  /** Returns the four big-endian bytes of a number. */
  static byte[] number(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  /** Returns a byte so many times. */
  static byte[] repeat(char letter, int count) {
    byte[] key = new byte[count];
    Arrays.fill(key, (byte) letter);
    return key;
  }

  /** Returns texts in the form in which {@link Reader#keys} returns keys. */
  static List<String> shownTexts(String... texts) {
    return Arrays.stream(texts).map(text -> shown(text(text))).toList();
  }

  /** Returns the keys of the numbers below a count in the form of {@link Reader#keys}. */
  static List<String> shownNumbers(int count) {
    return shownNumbers(0, count, Keys::number);
  }

  /** Returns the keys of some numbers in the form of {@link Reader#keys}. */
  static List<String> shownNumbers(int from, int to, IntFunction<byte[]> key) {
    return IntStream.range(from, to).mapToObj(key).map(Keys::shown).toList();
  }

  /** Returns a key as digits. */
  static String shown(byte[] key) {
    return HexFormat.of().formatHex(key);
  }
}
