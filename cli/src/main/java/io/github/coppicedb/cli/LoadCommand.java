package io.github.coppicedb.cli;

import io.github.coppicedb.Database;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.ExitStatus;
import io.github.coppicedb.cli.io.InputFiles;
import io.github.coppicedb.cli.io.Json;
import io.github.coppicedb.cli.io.Numbers;
import io.github.coppicedb.cli.io.Progress;
import io.github.coppicedb.cli.io.Streams;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Stores the lines of a file or of the standard input. */
@Command(
    name = "load",
    description = {
      "Store the lines of a file as keys.",
      "All in one transaction, unless --batch is given. Database and table are made if need be."
          + " An empty line is the empty key."
    })
final class LoadCommand implements Callable<Integer> {
  private static final String STANDARD_INPUT = "-";

  private final Streams streams;

  @Mixin private final TableArgument table = new TableArgument();

  @Option(
      names = "--file",
      paramLabel = "F",
      description = "Read the file F; without it, or with -, the standard input.")
  private String file = STANDARD_INPUT;

  @Option(names = "--values", description = "A line is a key, a tab and a value; else a key.")
  private boolean values;

  @Option(names = "--batch", paramLabel = "N", description = "Commit every N lines.")
  private long batch = Long.MAX_VALUE;

  @Option(
      names = "--report",
      description = "Print \"committed\" and the rows so far after every commit, at once.")
  private boolean report;

  @Mixin private final DurabilityOption durability = new DurabilityOption();
  @Mixin private final BytesOption format = new BytesOption();
  @Mixin private final JsonOption json = new JsonOption();

  LoadCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    if (batch < 1) {
      throw CommandException.usage("--batch is %d, it must be at least 1".formatted(batch));
    }
    try (InputStream in = input();
        Database open = table.database().openOrCreate(durability.level())) {
      Loader loader = new Loader(open, table.findOrCreate(open), batch, this::acknowledge);
      long start = System.nanoTime();
      try (Progress progress = Progress.start(streams, "load", "rows")) {
        loader.load(new RowReader(in, format, values), progress, inputBytes());
      }
      printResult(loader, System.nanoTime() - start);
    } catch (IOException e) {
      throw InputFiles.unreadable(file, e);
    }
    return ExitStatus.DONE;
  }

  private InputStream input() {
    return file.equals(STANDARD_INPUT) ? streams.in() : InputFiles.open(InputFiles.path(file));
  }

  /** Returns the size of the input, or 0 when it is not known. */
  private long inputBytes() throws IOException {
    return file.equals(STANDARD_INPUT) ? 0 : Files.size(Path.of(file));
  }

  private void acknowledge(long rows) {
    if (report) {
      String line =
          json.isJson() ? new Json().put("committed", rows).toString() : "committed " + rows;
      streams.out().line(line);
      streams.out().flush();
    }
  }

  private void printResult(Loader loader, long nanos) {
    double rate = Numbers.rate(loader.rows(), nanos);
    if (json.isJson()) {
      streams
          .out()
          .line(
              new Json()
                  .put("rows", loader.rows())
                  .put("commits", loader.commits())
                  .put("seconds", Numbers.seconds(nanos))
                  .put("rowsPerSecond", rate)
                  .toString());
    } else {
      streams
          .out()
          .line(
              String.format(
                  Locale.ROOT,
                  "loaded %,d rows in %.2f s, %,.0f rows/s",
                  loader.rows(),
                  Numbers.seconds(nanos),
                  rate));
    }
  }
}
