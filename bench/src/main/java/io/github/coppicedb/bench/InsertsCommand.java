package io.github.coppicedb.bench;

import io.github.coppicedb.bench.inserts.InsertsPlan;
import io.github.coppicedb.bench.inserts.InsertsReport;
import io.github.coppicedb.bench.inserts.InsertsSuite;
import io.github.coppicedb.bench.run.Folders;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

@Command(
    name = "inserts",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    showDefaultValues = true,
    sortOptions = false,
    description = {
      "Put rows with keys of 8 bytes and values of 64 in order, then more at random, then select"
          + " by key; each engine in a process of its own, by turns.",
      "Prints a line a phase: inserts PHASE ratio X, how many times as good as RocksDB Coppice is;"
          + " writes inserts.csv and inserts.md into the folder given by --out."
    })
final class InsertsCommand implements Callable<Integer> {
  private static final long QUICK_ROWS = 2_000_000;
  private static final long QUICK_RANDOM = 400_000;
  private static final int QUICK_SECONDS = 4;
  private static final int WIDER = 5;

  private final PrintStream out;
  private final PrintStream err;

  @Option(
      names = "--quick",
      showDefaultValue = Visibility.NEVER,
      description = "2,000,000 ordered rows, 400,000 random ones, one round; needs no --out.")
  private boolean quick;

  @Option(names = "--out", paramLabel = "DIR", description = "The folder for the results.")
  private @Nullable Path folder;

  @Option(
      names = "--case",
      paramLabel = "C",
      description = {
        "A1: random inserts over five times the range of the ordered rows, as in the document.",
        "A4: over their range, the stable state."
      })
  private String shape = "A1";

  @Option(names = "--rows", paramLabel = "N", description = "Ordered rows.")
  private long rows = 200_000_000;

  @Option(names = "--random", paramLabel = "M", description = "Random inserts.")
  private long random = 1_000_000;

  @Option(
      names = "--range",
      paramLabel = "R",
      showDefaultValue = Visibility.NEVER,
      description = "The greatest random key. Default: as the case says.")
  private @Nullable Long range;

  @Option(names = "--seconds", paramLabel = "S", description = "Of selects, half of them hits.")
  private int seconds = 100;

  @Option(
      names = "--random-values",
      showDefaultValue = Visibility.NEVER,
      description = "Values are random bytes. Default: zeros, as in the document.")
  private boolean randomValues;

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "E",
      description = "Of coppice, rocksdb, rocksdb-nolog.")
  private List<String> engines = List.of("coppice", "rocksdb");

  @Option(names = "--rounds", paramLabel = "K", description = "All engines by turns, so often.")
  private int rounds = 1;

  @Option(names = "--seed", paramLabel = "N", description = "Of keys and values.")
  private long seed = 1;

  InsertsCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() throws IOException {
    if (quick) {
      rows = QUICK_ROWS;
      random = QUICK_RANDOM;
      seconds = QUICK_SECONDS;
    }
    if (folder == null && !quick) {
      throw new IllegalArgumentException("--out is needed: the folder for the results");
    }
    InsertsSuite suite = new InsertsSuite(shape, plan(), engines, rounds);
    Path work = Folders.work(folder);
    try {
      InsertsReport report = suite.run(work, err::println);
      report.ratioLines().forEach(out::println);
      if (folder != null) {
        report.write(folder, work);
        out.println("results in " + folder);
      }
      return 0;
    } finally {
      Folders.delete(work);
    }
  }

  private InsertsPlan plan() {
    long greatest =
        switch (shape) {
          case "A1" -> WIDER * rows;
          case "A4" -> rows;
          default ->
              throw new IllegalArgumentException(
                  "no case '%s'; there are A1 and A4".formatted(shape));
        };
    return new InsertsPlan(
        rows, random, range == null ? greatest : range, seconds, !randomValues, seed);
  }
}
