package io.github.coppicedb.bench;

import io.github.coppicedb.bench.run.Folders;
import io.github.coppicedb.bench.ycsb.YcsbReport;
import io.github.coppicedb.bench.ycsb.YcsbSuite;
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
    name = "ycsb",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    showDefaultValues = true,
    sortOptions = false,
    description = {
      "The workloads A to F of YCSB by Coppice and by RocksDB, each in a process of its own, by"
          + " turns.",
      "Prints a line a workload: ycsb WORKLOAD ratio X, operations a second, Coppice / RocksDB;"
          + " writes ycsb.csv and ycsb.md into the folder given by --out."
    })
final class YcsbCommand implements Callable<Integer> {
  private static final int QUICK = 20_000;

  private final PrintStream out;
  private final PrintStream err;

  @Option(
      names = "--quick",
      showDefaultValue = Visibility.NEVER,
      description = "20,000 records and operations, one round; needs no --out.")
  private boolean quick;

  @Option(names = "--out", paramLabel = "DIR", description = "The folder for the results.")
  private @Nullable Path folder;

  @Option(names = "--workloads", split = ",", paramLabel = "W", description = "Of a to f.")
  private List<String> workloads = List.of("a", "b", "c", "d", "e", "f");

  @Option(names = "--engines", split = ",", paramLabel = "E", description = "Of these two.")
  private List<String> engines = List.of("coppice", "rocksdb");

  @Option(names = "--records", paramLabel = "N", description = "Records that are loaded first.")
  private int records = 1_000_000;

  @Option(names = "--operations", paramLabel = "N", description = "Operations that are measured.")
  private int operations = 1_000_000;

  @Option(names = "--threads", paramLabel = "N", description = "Threads that ask.")
  private int threads = 2;

  @Option(names = "--rounds", paramLabel = "N", description = "Both engines by turns, so often.")
  private int rounds = 3;

  @Option(
      names = "--forced",
      showDefaultValue = Visibility.NEVER,
      description =
          "Each change is on the device before it returns. Default: a power cut may lose"
              + " the last ones, a crash of the process none.")
  private boolean forced;

  YcsbCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() throws IOException {
    if (quick) {
      records = QUICK;
      operations = QUICK;
      rounds = 1;
    }
    if (folder == null && !quick) {
      throw new IllegalArgumentException("--out is needed: the folder for the results");
    }
    atLeastOne("--records", records);
    atLeastOne("--operations", operations);
    atLeastOne("--threads", threads);
    atLeastOne("--rounds", rounds);
    YcsbSuite suite =
        new YcsbSuite(workloads, engines, records, operations, threads, rounds, forced);
    Path work = Folders.work(folder);
    try {
      YcsbReport report = suite.run(work, err::println);
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

  private static void atLeastOne(String option, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(
          "%s is %d, it must be at least 1".formatted(option, value));
    }
  }
}
