package io.github.coppicedb.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Database;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.Output;
import io.github.coppicedb.cli.io.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What goes wrong around the commands: one line each, and no stack trace. */
final class FailuresTest {
  @RegisterExtension private final CommandLineRunner cli = new CommandLineRunner();

  private List<CommandLineRunner.Result> runAllReaders(String db) {
    return List.of(
        cli.run("get", db, "t", "k"),
        cli.run("delete", db, "t", "k"),
        cli.run("scan", db, "t"),
        cli.run("tables", db),
        cli.run("drop", db, "t"),
        cli.run("stat", db),
        cli.run("check", db),
        cli.run("compact", db));
  }

  @Test
  void missingDirectory() {
    Path db = cli.file("missing");
    for (CommandLineRunner.Result result : runAllReaders(db.toString())) {
      result.failed(
          3,
          "there is no directory %s; check the name, or make a database by put or load"
              .formatted(db));
    }
    assertFalse(Files.exists(db), "a reader must not make a database");
  }

  @Test
  void directoryThatIsNoDatabase() throws IOException {
    Path db = Files.createDirectory(cli.file("empty"));
    for (CommandLineRunner.Result result : runAllReaders(db.toString())) {
      assertOneLine(result, db.toString());
    }
  }

  @Test
  void fileInsteadOfADirectory() throws IOException {
    Path db = Files.writeString(cli.file("file"), "text");
    for (CommandLineRunner.Result result : runAllReaders(db.toString())) {
      assertOneLine(result, db.toString());
    }
    assertOneLine(cli.run("put", db.toString(), "t", "k", "v"), db.toString());
    assertOneLine(cli.run("put", db.resolve("below").toString(), "t", "k", "v"), db.toString());
    assertEquals("text", Files.readString(db));
  }

  @Test
  void lockedDatabase() {
    String db = cli.database("db");
    cli.run("put", db, "t", "k", "v").printed();
    try (Database open = Database.open(Path.of(db))) {
      assertEquals(List.of("t"), open.tables());
      for (CommandLineRunner.Result result : runAllReaders(db)) {
        assertOneLine(result, "open already");
      }
      assertOneLine(cli.run("put", db, "t", "k", "v"), "open already");
      assertOneLine(cli.runWith("x\n", "load", db, "t"), "open already");
    }
    assertEquals("v\n", cli.run("get", db, "t", "k").printed());
  }

  @Test
  void damagedTree() throws IOException {
    String db = cli.database("db");
    cli.runWith("x\n".repeat(10), "load", db, "t").printed();
    cli.run("compact", db).printed();
    Path tree = only(db, ".tree");
    byte[] bytes = Files.readAllBytes(tree);
    // Everything but the ends, which an open reads.
    for (int i = 64; i < bytes.length / 2; i++) {
      bytes[i] ^= 0x55;
    }
    Files.write(tree, bytes);
    cli.damaged(db);
    CommandLineRunner.Result check = cli.run("check", db);
    assertEquals(1, check.status());
    assertEquals("", check.text());
    assertTrue(
        check.err().startsWith("coppice: damaged file " + tree.getFileName() + " at byte "),
        check.err());
    assertTrue(check.err().endsWith("; restore the database from a copy" + System.lineSeparator()));
    CommandLineRunner.Result json = cli.run("check", "--json", db);
    assertEquals(1, json.status());
    assertTrue(
        json.text()
            .matches(
                "\\{\"ok\":false,\"file\":\"\\d+.tree\",\"offset\":\\d+,\"message\":\".*\"}\n"),
        json.text());
    assertOneLine(cli.run("scan", db, "t"), "damaged file " + tree.getFileName());
  }

  @Test
  void damagedManifest() throws IOException {
    String db = cli.database("db");
    cli.run("put", db, "t", "k", "v").printed();
    Path manifest = Path.of(db, "MANIFEST");
    byte[] bytes = Files.readAllBytes(manifest);
    bytes[bytes.length / 2] ^= 1;
    Files.write(manifest, bytes);
    cli.damaged(db);
    assertOneLine(cli.run("get", db, "t", "k"), "MANIFEST");
    assertEquals(1, cli.run("check", db).status());
    Files.write(manifest, new byte[0]);
    assertOneLine(cli.run("get", db, "t", "k"), "MANIFEST");
  }

  @Test
  void readOnlyDirectory() throws IOException {
    String db = cli.database("db");
    cli.run("put", db, "t", "k", "v").printed();
    Path path = Path.of(db);
    try {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r-x------"));
      Assumptions.assumeFalse(Files.isWritable(path), "this user may write everywhere");
      assertOneLine(cli.run("put", db, "t", "k", "w"), db);
      assertOneLine(cli.run("get", db, "t", "k"), db);
    } finally {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void debugShowsWhere() {
    String db = cli.file("missing").toString();
    assertTrue(cli.run("tables", "--debug", db).err().contains("\tat io.github.coppicedb"));
    assertTrue(cli.run("--debug", "tables", db).err().contains("\tat io.github.coppicedb"));
  }

  @Test
  void aReaderThatGoesAwayIsNoFailure() {
    String db = cli.database("db");
    cli.runWith("x".repeat(50_000) + "\n" + "y".repeat(50_000) + "\n", "load", db, "t").printed();
    assertEquals("", runInto(new Closed(), true, "scan", db, "t"));
    assertEquals(
        "3 coppice: cannot write to the standard output: Broken pipe",
        runInto(new Closed(), false, "scan", db, "t"));
    assertEquals("", runInto(new Closed(), true, "--help"));
  }

  @Test
  void aLoadWhoseReportsNobodyReadsStops() {
    String db = cli.database("db");
    cli.run("put", db, "t", "k", "v").printed();
    assertEquals(
        "3 coppice: the standard output was closed; the first 2 rows stay stored",
        runInto(new Closed(), true, "load", "--report", "--batch", "2", db, "t"));
    assertEquals("3\n", cli.run("scan", db, "t", "--count").printed());
  }

  @Test
  void errorsOfTheVirtualMachineAreOneLine() {
    assertEquals(
        "3 unexpected java.lang.StackOverflowError; --debug shows where, please report it",
        failureOf(new StackOverflowError()));
    assertTrue(
        failureOf(new OutOfMemoryError()).matches("3 the heap of .* is full; allow more: .*"));
    assertEquals(
        "3 unexpected java.lang.IllegalStateException: two lines; --debug shows where,"
            + " please report it",
        failureOf(new IllegalStateException("two\nlines")));
    assertEquals("1 no", failureOf(CommandException.negative("no")));
  }

  private static String failureOf(Throwable failure) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Streams streams = streams(OutputStream.nullOutputStream(), err, true);
    int status = new Failures(streams, new TopCommand()).report(failure);
    return status + " " + err.toString(StandardCharsets.UTF_8).strip().substring(9);
  }

  private static String runInto(OutputStream out, boolean pipe, String... arguments) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status = Main.run(streams(out, err, pipe), arguments);
    String line = err.toString(StandardCharsets.UTF_8).strip();
    return status == 0 ? line : status + " " + line;
  }

  private static Streams streams(OutputStream out, ByteArrayOutputStream err, boolean pipe) {
    return new Streams(
        new ByteArrayInputStream("a\nb\nc\n".getBytes(StandardCharsets.UTF_8)),
        new Output(out, pipe),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false,
        false);
  }

  private static void assertOneLine(CommandLineRunner.Result result, String part) {
    assertEquals(3, result.status(), result.err());
    assertEquals(1, result.err().lines().count(), result.err());
    assertTrue(result.err().startsWith("coppice: "), result.err());
    assertTrue(result.err().contains(part), result.err());
    assertFalse(result.err().contains("unexpected"), result.err());
  }

  private static Path only(String directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(directory))) {
      List<Path> found = files.filter(f -> f.toString().endsWith(suffix)).toList();
      assertEquals(1, found.size(), found.toString());
      return found.getFirst();
    }
  }

  /** A stream that nobody reads any more. */
  private static final class Closed extends OutputStream {
    @Override
    public void write(int one) throws IOException {
      throw new IOException("Broken pipe");
    }
  }
}
