package io.github.coppicedb.cli.demo;

import io.github.coppicedb.Database;
import io.github.coppicedb.Table;
import io.github.coppicedb.cli.io.ExitStatus;
import io.github.coppicedb.cli.io.InputFiles;
import io.github.coppicedb.cli.io.Streams;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The process that the demo kills: commits batches and acknowledges each, for ever. */
@Command(
    name = DemoWriterCommand.NAME,
    hidden = true,
    description = "Commit batches and print each number until killed; a part of the demo.")
public final class DemoWriterCommand implements Callable<Integer> {
  static final String NAME = "demo-writer";
  static final String ACKNOWLEDGED = "committed ";

  private final Streams streams;

  @Parameters(index = "0", paramLabel = "DB", description = "The directory of the database.")
  private String directory = "";

  /** Makes the command. */
  public DemoWriterCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    try (Database database = Database.open(InputFiles.path(directory))) {
      Table table = Ledger.table(database);
      for (long batch = 1; batch < Long.MAX_VALUE; batch++) {
        long number = batch;
        database.write(transaction -> Ledger.put(transaction, table, number));
        streams.out().line(ACKNOWLEDGED + number);
        streams.out().flush();
      }
    }
    return ExitStatus.DONE;
  }
}
