package io.github.coppicedb.bench;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.engine.Engines;
import io.github.coppicedb.bench.keys.BuiltInSet;
import io.github.coppicedb.bench.keys.KeySource;
import io.github.coppicedb.bench.report.Csv;
import io.github.coppicedb.bench.report.Machine;
import io.github.coppicedb.bench.report.MarkdownReport;
import io.github.coppicedb.bench.report.Medians;
import io.github.coppicedb.bench.report.Plots;
import io.github.coppicedb.bench.report.RatioLines;
import io.github.coppicedb.bench.run.Folders;
import io.github.coppicedb.bench.run.Outcome;
import io.github.coppicedb.bench.run.Plan;
import io.github.coppicedb.bench.run.Suite;
import io.github.coppicedb.bench.run.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Inserts of many keys without data: Coppice beside the others. */
@Command(
    name = "strings",
    description = {
      "Put millions of keys without data in random order in one transaction into an empty table,"
          + " then commit, close, reopen, scan and look up.",
      "Writes results.csv, report.md and plots into the folder given by --out."
    })
final class StringsCommand implements Callable<Integer> {
  private static final int QUICK_COUNT = 1 << 20;
  private static final int LEAST_LIMIT_SECONDS = 1;

  private final PrintStream out;
  private final PrintStream err;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "Keys, one a line; .gz and .xz are unpacked. Without: the built-in sets.")
  private List<Path> files = List.of();

  @Option(
      names = "--name",
      paramLabel = "N",
      description = "The name of the set of the --keys with the same place among them.")
  private List<String> names = List.of();

  @Option(
      names = "--sets",
      split = ",",
      paramLabel = "S",
      description = "Built-in sets: titles, words, paths.")
  private List<String> sets = List.of();

  @Option(names = "--counts", split = ",", paramLabel = "N", description = "Keys to put.")
  private List<Integer> counts = List.of(QUICK_COUNT, 2 * QUICK_COUNT, 4 * QUICK_COUNT);

  @Option(names = "--engines", split = ",", paramLabel = "E", description = "Default: all.")
  private List<String> engines = List.of();

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "W",
      description = "load (default), putscan, putget, single, ascending, descending, again.")
  private List<String> workloads = List.of(Workload.LOAD.workloadName());

  @Option(names = "--rounds", paramLabel = "N", description = "Default: 3.")
  private int rounds = 3;

  @Option(names = "--probes", paramLabel = "N", description = "Lookups of each kind.")
  private int probes = 1_000_000;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Keys of an unmeasured run before each in Java. Default: 0, all is cold.")
  private int warmUp;

  @Option(names = "--seed", paramLabel = "N", description = "Of generators and shuffles.")
  private long seed = 1;

  @Option(names = "--limit", paramLabel = "S", description = "Most seconds for one run.")
  private int limit = 900;

  @Option(names = "--heap", paramLabel = "SIZE", description = "Heap of the engines in Java.")
  private @Nullable String heap;

  @Option(names = "--out", paramLabel = "DIR", description = "The folder for the results.")
  private @Nullable Path folder;

  @Option(
      names = "--quick",
      description = "A million keys of each set, Coppice and LMDB, one round; prints the ratios.")
  private boolean quick;

  StringsCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() throws IOException {
    if (quick) {
      counts = List.of(QUICK_COUNT);
      rounds = 1;
      engines = engines.isEmpty() ? quickEngines() : engines;
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
        write(outcome, plan, folder);
      }
      return outcome.failures().isEmpty() ? 0 : 1;
    } finally {
      Folders.delete(folder == null ? results : plan.work());
    }
  }

  private static List<String> quickEngines() {
    List<String> names = new ArrayList<>(List.of(Engines.COPPICE));
    names.addAll(Engines.LMDB);
    return names;
  }

  private void checkNumbers() {
    for (int count : counts) {
      require(count > 0, "--counts holds %d, each must be at least 1", count);
    }
    require(!counts.isEmpty(), "--counts has %d numbers", 0);
    require(rounds > 0, "--rounds is %d, it must be at least 1", rounds);
    require(probes > 0, "--probes is %d, it must be at least 1", probes);
    require(warmUp >= 0, "--warm-up is %d, it must not be negative", warmUp);
    require(limit >= LEAST_LIMIT_SECONDS, "--limit is %d, it must be at least 1", limit);
  }

  private static void require(boolean holds, String message, int value) {
    if (!holds) {
      throw new IllegalArgumentException(message.formatted(value));
    }
  }

  private Plan plan(Path work) {
    List<EngineSpec> chosen = engines.isEmpty() ? Engines.all() : Engines.named(engines);
    return new Plan(
        sources(),
        counts,
        chosen,
        workloads.stream().map(Workload::named).toList(),
        rounds,
        probes,
        warmUp,
        seed,
        Duration.ofSeconds(limit),
        heap,
        work);
  }

  private List<KeySource> sources() {
    if (files.size() != names.size()) {
      throw new IllegalArgumentException(
          "%d --keys and %d --name: each file needs a name".formatted(files.size(), names.size()));
    }
    List<KeySource> sources = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (!names.get(i).matches("[\\w-]+")) {
        throw new IllegalArgumentException(
            "--name '%s' must be of letters, digits, - and _".formatted(names.get(i)));
      }
      if (!Files.isReadable(files.get(i))) {
        throw new IllegalArgumentException("--keys %s cannot be read".formatted(files.get(i)));
      }
      sources.add(new KeySource.Lines(names.get(i), files.get(i)));
    }
    for (BuiltInSet set : BuiltInSet.values()) {
      if (sets.isEmpty() ? files.isEmpty() : sets.contains(set.setName())) {
        sources.add(new KeySource.Generated(set, seed));
      }
    }
    for (String name : sets) {
      if (Arrays.stream(BuiltInSet.values()).noneMatch(set -> set.setName().equals(name))) {
        throw new IllegalArgumentException(
            "no set '%s'; there are titles, words, paths".formatted(name));
      }
    }
    return sources;
  }

  private void write(Outcome outcome, Plan plan, Path results) throws IOException {
    Files.write(results.resolve("results.csv"), Csv.lines(outcome.results()));
    List<String> facts = new ArrayList<>(Machine.facts(plan.work(), Instant.now()));
    facts.add(
        String.format(
            Locale.ROOT,
            "rounds %d, seed %d, lookups %,d of each kind, warm-up %,d keys, heap %s",
            rounds,
            seed,
            probes,
            warmUp,
            heap == null ? "the JVM's default" : heap));
    List<String> plots = Plots.draw(new Medians(outcome.results()), results);
    Files.write(results.resolve("report.md"), MarkdownReport.lines(outcome, facts, plots));
    out.println("results in " + results);
  }
}
