package io.github.coppicedb.bench;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.engine.Engines;
import io.github.coppicedb.bench.report.Medians;
import io.github.coppicedb.bench.report.RatioLines;
import io.github.coppicedb.bench.report.Report;
import io.github.coppicedb.bench.report.Targets;
import io.github.coppicedb.bench.run.Folders;
import io.github.coppicedb.bench.run.Outcome;
import io.github.coppicedb.bench.run.Plan;
import io.github.coppicedb.bench.run.Plan.Part;
import io.github.coppicedb.bench.run.Suite;
import io.github.coppicedb.bench.run.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Inserts of many keys without data: Coppice beside the others. */
@Command(
    name = "strings",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    showDefaultValues = true,
    sortOptions = false,
    description = {
      "Put millions of keys without data in random order in one transaction into an empty table,"
          + " then commit, close, reopen, scan and look up; each engine in a process of its own,"
          + " by turns.",
      "Writes results.csv, report.md and plots into the folder given by --out."
    })
final class StringsCommand implements Callable<Integer> {
  private static final int MILLION = 1 << 20;
  private static final int PROBES = 1_000_000;

  private final PrintStream out;
  private final PrintStream err;

  @Option(
      names = "--quick",
      showDefaultValue = Visibility.NEVER,
      description = {
        "1,048,576 keys of each set, Coppice and LMDB with both its flags, one round, nothing"
            + " read.",
        "Prints a line a set, warm: strings SET COUNT put-ratio X cpu-ratio Y size-ratio Z,",
        "and one of the first load in a new JVM: cold strings SET COUNT put-ratio X."
      })
  private boolean quick;

  @Option(
      names = "--targets",
      showDefaultValue = Visibility.NEVER,
      description = {
        "All that the table of targets needs: the load by all engines with all counts, and with the"
            + " largest count putscan, putget, single and getload by Coppice and LMDB, and"
            + " ascending, descending, again and heap by Coppice."
      })
  private boolean targets;

  @Option(names = "--out", paramLabel = "DIR", description = "The folder for the results.")
  private @Nullable Path folder;

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "E",
      showDefaultValue = Visibility.NEVER,
      description = "Default: all; with --quick: coppice, lmdb, lmdb-nosync.")
  private List<String> engines = List.of();

  @Mixin private final KeyOptions keys = new KeyOptions();

  @Option(names = "--counts", split = ",", paramLabel = "N", description = "Keys to put.")
  private List<Integer> counts = List.of(MILLION, 2 * MILLION, 4 * MILLION);

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "W",
      showDefaultValue = Visibility.NEVER,
      description =
          "load (default), putscan, putget, single, ascending, descending, again, getload, heap;"
              + " docs/benchmarks.md says what they are.")
  private List<String> workloads = List.of();

  @Option(names = "--rounds", paramLabel = "N", description = "All engines by turns, so often.")
  private int rounds = 3;

  @Option(
      names = "--peer-rounds",
      paramLabel = "N",
      description =
          "Rounds of the engines other than Coppice, LMDB in C and sort. Default: as --rounds.")
  private @Nullable Integer peerRounds;

  @Option(
      names = "--probes",
      paramLabel = "N",
      showDefaultValue = Visibility.NEVER,
      description = {
        "Lookups of each kind, hits and misses; 0: runs end with the close.",
        "Default: 1,000,000; with --quick: 0."
      })
  private @Nullable Integer probes;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = {
        "A JVM's first second is compilation. So before each measured run of an engine in Java"
            + " there are unmeasured ones in its process, of N other keys of the kind, but no more"
            + " than are measured: two, then up to five or 20 seconds as long as puts become"
            + " faster.",
        "The put phase of the first of them is told as cold. 0: none, what is measured is cold."
      })
  private int warmUp = 4 * MILLION;

  @Option(names = "--limit", paramLabel = "S", description = "Most seconds for one run.")
  private int limit = 900;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "Heap (-Xmx) of the engines in Java. Default: the JVM's, a quarter of the RAM.")
  private @Nullable String heap;

  StringsCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() throws IOException {
    if (quick) {
      counts = List.of(MILLION);
      rounds = 1;
    }
    if (folder == null && !quick) {
      throw new IllegalArgumentException("--out is needed: the folder for the results");
    }
    checkNumbers();
    Path results = folder == null ? Files.createTempDirectory("coppice-bench") : folder;
    Plan plan = plan(results.resolve("work"));
    try {
      Files.createDirectories(plan.work());
      Outcome outcome = new Suite(plan, err::println).run();
      RatioLines.of(new Medians(outcome.results())).forEach(out::println);
      outcome.missing().forEach((name, why) -> out.println("missing " + name + ": " + why));
      if (folder != null) {
        new Targets(outcome).texts().forEach(out::println);
        Report.write(outcome, plan, folder);
        out.println("results in " + folder);
      }
      return outcome.failures().isEmpty() ? 0 : 1;
    } finally {
      Folders.delete(folder == null ? results : plan.work());
    }
  }

  private void checkNumbers() {
    for (int count : counts) {
      require(count > 0, "--counts holds %d, each must be at least 1", count);
    }
    require(!counts.isEmpty(), "--counts has %d numbers", 0);
    require(rounds > 0, "--rounds is %d, it must be at least 1", rounds);
    require(peerRounds() >= 0, "--peer-rounds is %d, it must not be negative", peerRounds());
    require(probes() >= 0, "--probes is %d, it must not be negative", probes());
    require(warmUp >= 0, "--warm-up is %d, it must not be negative", warmUp);
    require(limit > 0, "--limit is %d, it must be at least 1", limit);
  }

  private static void require(boolean holds, String message, int value) {
    if (!holds) {
      throw new IllegalArgumentException(message.formatted(value));
    }
  }

  private int probes() {
    if (probes != null) {
      return probes;
    }
    return quick ? 0 : PROBES;
  }

  private int peerRounds() {
    return peerRounds == null ? rounds : peerRounds;
  }

  private Plan plan(Path work) {
    return new Plan(
        keys.sources(),
        parts(),
        rounds,
        peerRounds(),
        probes(),
        warmUp,
        keys.seed(),
        Duration.ofSeconds(limit),
        heap,
        work);
  }

  private List<Part> parts() {
    List<EngineSpec> chosen = engines();
    if (!targets) {
      List<String> names = workloads.isEmpty() ? List.of("load") : workloads;
      return List.of(new Part(chosen, names.stream().map(Workload::named).toList(), counts));
    }
    if (!workloads.isEmpty()) {
      throw new IllegalArgumentException("--targets and --workloads exclude each other");
    }
    return Parts.forTargets(chosen, counts);
  }

  private List<EngineSpec> engines() {
    if (!engines.isEmpty()) {
      return Engines.named(engines);
    }
    if (!quick) {
      return Engines.all();
    }
    List<String> names = new ArrayList<>(List.of(Engines.COPPICE));
    names.addAll(Engines.STOCK_LMDB);
    return Engines.named(names);
  }
}
