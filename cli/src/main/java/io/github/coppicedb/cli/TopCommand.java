package io.github.coppicedb.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code coppice} itself: what all commands have in common. */
@Command(
    name = "coppice",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = "The command line of Coppice, an embedded ordered key-value database.",
    footer = {
      "",
      "Keys and values are UTF-8 text; --hex takes and prints bytes. One that begins with a dash"
          + " goes behind --. A database is open in one process at a time.",
      "Exit status: 0 done, 1 not found or damaged, 2 wrong usage, 3 failure."
    })
final class TopCommand {
  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure.")
  private boolean debug;

  boolean debug() {
    return debug;
  }
}
