package io.github.coppicedb.cli.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LineReaderTest {
  private static final int NO_LIMIT = 1 << 24;

  @Test
  void splitsAtNewlines() throws IOException {
    assertEquals(List.of(), lines(""));
    assertEquals(List.of(""), lines("\n"));
    assertEquals(List.of("a"), lines("a"));
    assertEquals(List.of("a"), lines("a\n"));
    assertEquals(List.of("a", "", "b"), lines("a\n\nb"));
    assertEquals(List.of("", "\r", "\0"), lines("\n\r\n\0\n"));
  }

  @Test
  void anyChunksGiveTheSameLines() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      List<String> expected = new ArrayList<>();
      for (int i = random.nextInt(20); i >= 0; i--) {
        int length = random.nextInt(10) == 0 ? random.nextInt(1_500_000) : random.nextInt(100);
        expected.add("x".repeat(length));
      }
      byte[] text = (String.join("\n", expected) + "\n").getBytes(StandardCharsets.UTF_8);
      InputStream in = new Trickle(new ByteArrayInputStream(text), random);
      LineReader reader = new LineReader(in, NO_LIMIT);
      assertEquals(expected, read(reader), "seed " + seed);
      assertEquals(text.length, reader.bytesConsumed(), "seed " + seed);
    }
  }

  @Test
  void longLinesAreNamed() throws IOException {
    LineReader exact = reader("abc\nabc", 3);
    assertEquals(List.of("abc", "abc"), read(exact));
    assertEquals("line 2 is longer than 3 bytes", tooLong("a\nabcd\n", 3));
    assertEquals("line 2 is longer than 3 bytes", tooLong("a\nabcd", 3));
    assertEquals("line 1 is longer than 3 bytes", tooLong("a".repeat(3 << 20), 3));
  }

  private static String tooLong(String text, int limit) {
    LineReader reader = reader(text, limit);
    CommandException e = assertThrows(CommandException.class, () -> read(reader));
    assertEquals(ExitStatus.FAILURE, e.status());
    return String.valueOf(e.getMessage());
  }

  private static List<String> lines(String text) throws IOException {
    return read(reader(text, NO_LIMIT));
  }

  private static LineReader reader(String text, int limit) {
    return new LineReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), limit);
  }

  private static List<String> read(LineReader reader) throws IOException {
    List<String> lines = new ArrayList<>();
    while (reader.next()) {
      lines.add(new String(reader.line(), StandardCharsets.UTF_8));
      assertEquals(lines.size(), reader.number());
    }
    assertFalse(reader.next());
    return lines;
  }

  /** Gives fewer bytes than asked for, as a pipe does. */
  private static final class Trickle extends InputStream {
    private final InputStream in;
    private final Random random;

    Trickle(InputStream in, Random random) {
      this.in = in;
      this.random = random;
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return in.read(bytes, offset, Math.min(length, 1 + random.nextInt(100_000)));
    }
  }
}
