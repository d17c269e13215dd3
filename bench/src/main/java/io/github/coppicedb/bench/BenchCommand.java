package io.github.coppicedb.bench;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What stands above all benchmarks: it only knows that one of them must be named. */
@Command(
    name = "coppice bench",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Measure Coppice beside other engines. Takes long; wants a quiet machine.",
    footer = "'coppice bench micro' hands its arguments to JMH: microbenchmarks; -h says more.")
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is needed; 'coppice bench help' shows them");
  }
}
