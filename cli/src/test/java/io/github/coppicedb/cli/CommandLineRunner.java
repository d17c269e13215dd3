package io.github.coppicedb.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.coppicedb.cli.io.Output;
import io.github.coppicedb.cli.io.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs the command line in this process, in a directory of its own for each test. At the end every
 * database that a test named is checked in full, unless the test damaged it.
 */
final class CommandLineRunner implements BeforeEachCallback, AfterEachCallback {
  private final Set<Path> databases = new LinkedHashSet<>();
  private Path home = Path.of("");

  /** What a run left behind. */
  record Result(int status, byte[] out, String err) {
    String text() {
      return new String(out, StandardCharsets.UTF_8);
    }

    /** Asserts success without a word on the error stream, and returns what was printed. */
    String printed() {
      assertEquals("", err);
      assertEquals(0, status);
      return text();
    }

    /** Asserts failure with one line and nothing printed. */
    void failed(int expectedStatus, String expectedLine) {
      assertEquals("coppice: " + expectedLine + System.lineSeparator(), err);
      assertEquals("", text());
      assertEquals(expectedStatus, status);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    home = Files.createTempDirectory("coppice-cli-test-");
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    for (Path database : databases) {
      Result check = run("check", database.toString());
      assertEquals("", check.err(), "the check of " + database);
      assertEquals(0, check.status());
    }
    databases.clear();
    try (Stream<Path> walk = Files.walk(home)) {
      for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Returns the path of a database, which is to be sound at the end of the test. */
  String database(String name) {
    Path path = home.resolve(name);
    databases.add(path);
    return path.toString();
  }

  /** Returns a path that no database is expected at. */
  Path file(String name) {
    return home.resolve(name);
  }

  /** Does not check a database at the end after all. */
  void damaged(String database) {
    databases.remove(Path.of(database));
  }

  Result run(String... arguments) {
    return runWith(new byte[0], arguments);
  }

  Result runWith(String input, String... arguments) {
    return runWith(input.getBytes(StandardCharsets.UTF_8), arguments);
  }

  Result runWith(byte[] input, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Streams streams =
        new Streams(
            new ByteArrayInputStream(input),
            new Output(out, true),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false);
    int status = Main.run(streams, arguments);
    return new Result(status, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }

  /** Makes a table of keys and values: k1, v1, k2, v2 and so on. */
  void fill(String database, String table, String... keysAndValues) {
    List<String> all = List.of(keysAndValues);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < all.size(); i += 2) {
      lines.append(all.get(i)).append('\t').append(all.get(i + 1)).append('\n');
    }
    runWith(lines.toString(), "load", database, table, "--values").printed();
  }
}
