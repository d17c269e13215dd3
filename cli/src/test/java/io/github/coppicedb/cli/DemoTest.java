package io.github.coppicedb.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The command demo, with its killed process and all. */
final class DemoTest {
  private static final Pattern DIRECTORY = Pattern.compile("The database is in (.*) until the end");

  @RegisterExtension private final CommandLineRunner cli = new CommandLineRunner();

  @Test
  void allThatIsClaimedHolds() {
    String shown = cli.run("demo", "--count", "20000").printed();
    assertEquals(4, shown.lines().filter(line -> line.startsWith("  ok ")).count(), shown);
    assertFalse(shown.contains("FAILED"), shown);
    assertTrue(shown.contains("\n  put                20,000 in"), shown);
    assertTrue(shown.contains("nothing acknowledged is lost"), shown);
    assertEquals(-1, shown.indexOf('\u001b'), "colour belongs on terminals only");
    Matcher directory = DIRECTORY.matcher(shown);
    assertTrue(directory.find(), shown);
    assertFalse(Files.exists(Path.of(directory.group(1))), "the demo left its database behind");
  }

  @Test
  void keysOfAFileStayWhereTheyWereAsked() throws IOException {
    Path file = Files.write(cli.file("keys"), List.of("b", "a", "", "b", "c", "d"));
    String db = cli.database("kept");
    String shown =
        cli.run("demo", "--keys", file.toString(), "--count", "5", "--keep", db).printed();
    assertFalse(shown.contains("FAILED"), shown);
    assertTrue(shown.contains("\n  snapshot     4 keys,"), shown);
    assertEquals("ledger\npaths\n", cli.run("tables", db).printed());
    cli.run("demo", "--count", "5", "--keep", db)
        .failed(3, "cannot make the directory %s; name one that is not there yet".formatted(db));
  }

  @Test
  void noKeys() throws IOException {
    Path file = Files.write(cli.file("keys"), List.of());
    cli.run("demo", "--keys", file.toString())
        .failed(3, "%s holds no key; give one key a line".formatted(file));
  }
}
