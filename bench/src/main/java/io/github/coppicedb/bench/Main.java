package io.github.coppicedb.bench;

import io.github.coppicedb.bench.inserts.InsertsMain;
import io.github.coppicedb.bench.run.EngineMain;
import io.github.coppicedb.bench.ycsb.YcsbMain;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import picocli.CommandLine;

/** The entry of the benchmarks. */
public final class Main {
  private static final int USAGE = 2;
  private static final int FAILURE = 3;
  private static final int HELP_WIDTH = 100;

  private Main() {}

  /** Runs one command and ends the process with its exit status. */
  public static void main(String[] args) throws Exception {
    // Plots need no screen.
    System.setProperty("java.awt.headless", "true");
    if (EngineMain.isChild(args)) {
      EngineMain.run(args, System.out);
      // Engines may leave threads behind.
      System.exit(0);
    }
    if (InsertsMain.isChild(args)) {
      InsertsMain.run(args, System.out);
      System.exit(0);
    }
    if (YcsbMain.isChild(args)) {
      YcsbMain.run(args, System.out);
      System.exit(0);
    }
    if (args.length > 0 && args[0].equals("micro")) {
      org.openjdk.jmh.Main.main(Arrays.copyOfRange(args, 1, args.length));
      return;
    }
    System.exit(run(System.out, System.err, args));
  }

  /** Runs one command; returns 0 done, 2 wrong usage, 3 failure. */
  public static int run(PrintStream out, PrintStream err, String... args) {
    CommandLine line =
        new CommandLine(new BenchCommand())
            .addSubcommand(new StringsCommand(out, err))
            .addSubcommand(new InsertsCommand(out, err))
            .addSubcommand(new YcsbCommand(out, err))
            .addSubcommand(new CommandLine.HelpCommand())
            .setUsageHelpWidth(HELP_WIDTH);
    line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    line.setParameterExceptionHandler(
        (e, arguments) -> {
          err.println("coppice bench: " + e.getMessage());
          return USAGE;
        });
    line.setExecutionExceptionHandler(
        (e, command, parsed) -> {
          err.println("coppice bench: " + e.getMessage());
          return e instanceof IllegalArgumentException ? USAGE : FAILURE;
        });
    return line.execute(args);
  }
}
