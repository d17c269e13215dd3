package io.github.coppicedb.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Help, version, and commands that are not understood. */
final class UsageTest {
  private static final List<String> COMMANDS =
      List.of(
          "load", "get", "put", "delete", "scan", "tables", "drop", "stat", "check", "compact",
          "demo");

  @RegisterExtension private final CommandLineRunner cli = new CommandLineRunner();

  @Test
  void helpEverywhere() {
    String help = cli.run("--help").printed();
    for (String command : COMMANDS) {
      assertTrue(help.contains("\n  " + command + " "), command);
      String usage = cli.run(command, "--help").printed();
      assertTrue(usage.startsWith("Usage: coppice " + command + " "), usage);
      assertTrue(usage.contains("Exit status: 0 done"), usage);
      assertEquals(usage, cli.run(command, "-h").printed());
      assertEquals(usage, cli.run("help", command).printed());
      assertTrue(usage.lines().allMatch(line -> line.length() <= 80), usage);
    }
    assertFalse(help.contains("demo-writer"));
    assertEquals(help, cli.run("help").printed());
  }

  @Test
  void versionEverywhere() {
    String version = cli.run("--version").printed();
    assertTrue(version.startsWith("coppice "), version);
    for (String command : COMMANDS) {
      assertEquals(version, cli.run(command, "--version").printed());
    }
  }

  @Test
  void misunderstandings() {
    String hint = "; \"coppice --help\" shows the usage";
    cli.run().failed(2, "missing required subcommand" + hint);
    cli.run("frobnicate").failed(2, "there is no command 'frobnicate'" + hint);
    cli.run("scn").failed(2, "there is no command 'scn', did you mean scan?" + hint);
    cli.run("--frob").failed(2, "unknown option '--frob'" + hint);
    cli.run("help", "frobnicate").failed(2, "unknown subcommand 'frobnicate'" + hint);
    cli.run("", "db").failed(2, "there is no command ''" + hint);
    cli.run("get", "db")
        .failed(
            2,
            "missing required parameters: 'TABLE', 'KEY'; \"coppice get --help\" shows the usage");
    cli.run("tables", "db", "more")
        .failed(2, "unexpected argument 'more'; \"coppice tables --help\" shows the usage");
    cli.run("put", "db", "t", "k", "v", "--durability", "none")
        .failed(
            2,
            "invalid value for option '--durability': the levels are power-safe, process-safe,"
                + " recent-commits-at-risk, unsaved-commits-at-risk;"
                + " \"coppice put --help\" shows the usage");
    cli.run("demo", "--count", "0").failed(2, "--count is 0, it must be at least 1");
  }

  @Test
  void emptyNames() {
    cli.run("tables", "").failed(2, "an empty name is no file or directory");
    cli.run("load", "", "t").failed(2, "an empty name is no file or directory");
    cli.run("tables", "a\0b")
        .failed(2, "this name cannot be a path in this locale: a b; try LC_ALL=C.UTF-8");
  }
}
