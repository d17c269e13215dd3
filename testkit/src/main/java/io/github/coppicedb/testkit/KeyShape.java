package io.github.coppicedb.testkit;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Families of keys, each of which is hard on some part of an ordered store. */
public enum KeyShape {
  /** Up to five bytes 0 and 1: prefixes of each other, zero bytes at the end. */
  ZERO_ONE {
    @Override
    String next(RandomGenerator random) {
      return word(random, 5, 0x00, 0x01);
    }
  },
  /** Up to five bytes 0 and 255. */
  EXTREMES {
    @Override
    String next(RandomGenerator random) {
      return word(random, 5, 0x00, 0xff);
    }
  },
  /** Prefixes of one long word, sometimes with another last byte. */
  CHAIN {
    @Override
    String next(RandomGenerator random) {
      int length = 1 + random.nextInt(random.nextInt(4) == 0 ? 600 : 20);
      return "61*" + length + (random.nextInt(3) == 0 ? "+" + hex(random.nextInt(256)) : "");
    }
  },
  /** Four bytes of a small number, mostly in order. */
  COUNTER {
    @Override
    String next(RandomGenerator random) {
      return "%08x".formatted(random.nextInt(300));
    }
  },
  /** One or two bytes, all values. */
  BYTES {
    @Override
    String next(RandomGenerator random) {
      String one = hex(random.nextInt(256));
      return random.nextBoolean() ? one : one + hex(random.nextInt(256));
    }
  },
  /** Random bytes from a pool, so that keys come again. */
  RANDOM {
    @Override
    String next(RandomGenerator random) {
      return "r%d.%d".formatted(1 + random.nextInt(40), random.nextInt(60));
    }
  },
  /** Like paths: long shared begins, short ends. */
  PATHS {
    @Override
    String next(RandomGenerator random) {
      String text = "usr/share/%d/doc/%d".formatted(random.nextInt(6), random.nextInt(40));
      return HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  },
  /** Lengths around those where a length field or a page ends, up to the longest key. */
  LONG {
    private static final int[] LENGTHS = {
      127, 128, 254, 255, 256, 257, 511, 4095, 4096, 4097, 32768, 65535, 65536
    };

    @Override
    String next(RandomGenerator random) {
      int length = LENGTHS[random.nextInt(LENGTHS.length)];
      String begin = random.nextBoolean() ? "30" : "30*%d+31".formatted(length / 2);
      int rest = length - Blob.decode(begin).length - 1;
      return "%s+30*%d+%s".formatted(begin, rest, hex(0x30 + random.nextInt(3)));
    }
  };

  /** Returns the text form of a key of this shape. */
  abstract String next(RandomGenerator random);

  private static String hex(int value) {
    return "%02x".formatted(value);
  }

  private static String word(RandomGenerator random, int longest, int first, int second) {
    int length = random.nextInt(longest + 1);
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < length; i++) {
      word.append(hex(random.nextBoolean() ? first : second));
    }
    return word.isEmpty() ? "-" : word.toString();
  }
}
