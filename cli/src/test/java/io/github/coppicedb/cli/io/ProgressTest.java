package io.github.coppicedb.cli.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  @Test
  void nothingWhereThereIsNoTerminal() {
    assertEquals("", show(false));
  }

  @Test
  void oneLineThatIsClearedOnATerminal() {
    String shown = show(true);
    assertTrue(shown.contains("work"), shown);
    assertTrue(shown.contains(" 50% "), shown);
    assertTrue(shown.contains("halfway"), shown);
    assertEquals(-1, shown.indexOf('\n'));
    assertTrue(shown.endsWith("\r" + " ".repeat(79) + "\r"), shown);
    assertTrue(shown.replace('\r', '\n').lines().allMatch(drawn -> drawn.length() < 80), shown);
  }

  private static String show(boolean terminal) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Streams streams =
        new Streams(
            InputStream.nullInputStream(),
            new Output(OutputStream.nullOutputStream(), false),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            terminal,
            terminal);
    try (Progress progress = Progress.start(streams, "work", "rows")) {
      progress.expect(1_000_000);
      progress.at(500_000);
      progress.say("halfway");
    }
    return err.toString(StandardCharsets.UTF_8);
  }
}
