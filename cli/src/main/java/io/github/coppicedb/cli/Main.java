package io.github.coppicedb.cli;

import io.github.coppicedb.cli.demo.DemoCommand;
import io.github.coppicedb.cli.demo.DemoWriterCommand;
import io.github.coppicedb.cli.io.Streams;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The entry of the command line. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit status. */
  public static void main(String[] args) {
    System.exit(run(Streams.ofProcess(), args));
  }

  /** Runs one command and returns its exit status; whatever happens is told in one line. */
  public static int run(Streams streams, String... args) {
    TopCommand top = new TopCommand();
    Failures failures = new Failures(streams, top);
    // Help and versions: what the library prints must not fail inside of it.
    StringWriter help = new StringWriter();
    try {
      int status = commandLine(top, streams, failures, new PrintWriter(help)).execute(args);
      streams.out().write(help.toString().getBytes(StandardCharsets.UTF_8));
      streams.out().flush();
      return status;
    } catch (Throwable e) {
      // Errors too: the user of a command line has no use for a stack trace.
      return failures.report(e);
    }
  }

  private static CommandLine commandLine(
      TopCommand top, Streams streams, Failures failures, PrintWriter help) {
    CommandLine line =
        new CommandLine(top)
            .addSubcommand(new LoadCommand(streams))
            .addSubcommand(new GetCommand(streams))
            .addSubcommand(new PutCommand())
            .addSubcommand(new DeleteCommand())
            .addSubcommand(new ScanCommand(streams))
            .addSubcommand(new TablesCommand(streams))
            .addSubcommand(new DropCommand())
            .addSubcommand(new StatCommand(streams))
            .addSubcommand(new CheckCommand(streams))
            .addSubcommand(new CompactCommand(streams))
            .addSubcommand(new DemoCommand(streams))
            .addSubcommand(new DemoWriterCommand(streams))
            .addSubcommand(new CommandLine.HelpCommand());
    // A key may begin with @; it is not the name of a file of arguments.
    line.setExpandAtFiles(false);
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(streams.outTerminal() ? Ansi.ON : Ansi.OFF));
    line.setOut(help);
    line.setErr(new PrintWriter(streams.err(), true, StandardCharsets.UTF_8));
    line.setParameterExceptionHandler((e, arguments) -> failures.reportUsage(e));
    line.setExecutionExceptionHandler((e, command, parsed) -> failures.report(e));
    return line;
  }
}
