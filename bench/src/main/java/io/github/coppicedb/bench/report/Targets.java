package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.engine.Engines;
import io.github.coppicedb.bench.report.Medians.Cell;
import io.github.coppicedb.bench.report.Target.Finder;
import io.github.coppicedb.bench.report.Target.Found;
import io.github.coppicedb.bench.report.Target.Line;
import io.github.coppicedb.bench.run.Metric;
import io.github.coppicedb.bench.run.Outcome;
import io.github.coppicedb.bench.run.RunFailure;
import io.github.coppicedb.bench.run.Workload;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** What Coppice is to reach, beside what it reached. Immutable. */
public final class Targets {
  private static final int FOUR_MILLION = 1 << 22;
  private static final double MIB = 1 << 20;
  private static final Map<String, Double> SIZES =
      Map.of("paths", 5.5, "titles", 3.5, "words", 5.0);

  private final Outcome outcome;
  private final Medians medians;

  /** Looks at the results of a suite. */
  public Targets(Outcome outcome) {
    this.outcome = outcome;
    this.medians = new Medians(outcome.results());
  }

  /** Returns a line of text for each target in each cell that was run. */
  public List<String> texts() {
    return all().stream().flatMap(target -> lines(target).stream()).map(Line::text).toList();
  }

  /** Returns all targets, in the order of the table. */
  List<Target> all() {
    List<Target> all = new ArrayList<>(besideLmdb());
    all.addAll(alone());
    return all;
  }

  /** Returns what is known of a target, for each cell of its workload that was run. */
  List<Line> lines(Target target) {
    String workload = target.workload().workloadName();
    Set<Cell> failed = failed();
    Set<Cell> cells = new LinkedHashSet<>(medians.cells());
    cells.addAll(failed);
    return cells.stream()
        .filter(cell -> cell.workload().equals(workload))
        .map(cell -> target.line(cell, failed.contains(cell)))
        .filter(line -> line.verdict() != Verdict.NOT_MEASURED)
        .toList();
  }

  private Set<Cell> failed() {
    Set<Cell> cells = new LinkedHashSet<>();
    for (RunFailure failure : outcome.failures()) {
      if (failure.key().engine().equals(Engines.COPPICE)) {
        cells.add(new Cell(failure.key().workload(), failure.key().set(), failure.key().count()));
      }
    }
    return cells;
  }

  private List<Target> besideLmdb() {
    Goal put = new Goal(true, cell -> cell.count() < FOUR_MILLION ? 4.0 : 5.0);
    Goal size = new Goal(true, cell -> SIZES.getOrDefault(cell.set(), Double.NaN));
    Goal reads = Goal.atLeast(1.5);
    return List.of(
        load("put phase, LMDB / Coppice", put, wall("put")),
        target("put + scan in the transaction", Workload.PUTSCAN, 3.0, wall("put")),
        load("CPU until merged", Goal.atLeast(2.5), medians::cpuToMerged),
        target("put + get of an earlier key", Workload.PUTGET, 1.8, wall("put")),
        single("one put a transaction / own puts in one", Engines.COPPICE),
        single("one put a transaction / LMDB's puts in one", "lmdb"),
        load("put + commit + close, durable", Goal.atLeast(3.0), medians::durable),
        load("bytes on disk", size, metric(Metric.DISK)),
        load("reopen + scan", Goal.atLeast(1.0), medians::reopenAndScan),
        load("random get, hit", reads, wall("hits")),
        load("random get, miss", reads, wall("misses")));
  }

  private List<Target> alone() {
    Goal pause = Goal.atMost(50);
    Medians.Value stall = metric(Metric.PUT_STALL);
    return List.of(
        new Target(
            "random get while loading / drained",
            Workload.GETLOAD,
            Goal.atLeast(0.5),
            this::getsInLoad),
        new Target("MiB of heap, -Xmx256m", Workload.HEAP, Goal.atMost(256), this::heap),
        new Target("longest pause, ms, -Xmx256m", Workload.HEAP, pause, this::pause),
        new Target("longest 1,024 puts, ms, -Xmx256m", Workload.HEAP, pause, millis(stall)),
        new Target("longest pause, ms", Workload.LOAD, pause, this::pause),
        new Target("longest 1,024 puts, ms", Workload.LOAD, pause, millis(stall)),
        order("puts ascending / random", Workload.ASCENDING),
        order("puts descending / random", Workload.DESCENDING),
        order("puts of what is there / random", Workload.AGAIN));
  }

  private Target load(String name, Goal goal, Medians.Value value) {
    return new Target(name, Workload.LOAD, goal, overLmdb(value));
  }

  private Target target(String name, Workload workload, double least, Medians.Value value) {
    return new Target(name, workload, Goal.atLeast(least), overLmdb(value));
  }

  private Medians.Value metric(String name) {
    return (cell, engine) -> medians.of(cell, engine, name);
  }

  private Medians.Value wall(String phase) {
    return metric(Metric.wall(phase));
  }

  /** LMDB's least number of all its runs, divided by ours. */
  private Finder overLmdb(Medians.Value value) {
    return cell -> {
      OptionalDouble ratio = medians.ratio(cell, Engines.COPPICE, value);
      return ratio.isEmpty()
          ? Optional.empty()
          : medians
              .leastOfLmdb(cell, value)
              .map(best -> new Found(ratio.getAsDouble(), best.engine()));
    };
  }

  /** One put a transaction, beside the put phase of the load by ourselves or by LMDB's best run. */
  private Target single(String name, String beside) {
    return new Target(
        name,
        Workload.SINGLE,
        Goal.atMost(2.0),
        cell -> {
          Cell load = load(cell);
          Optional<Medians.Best> base =
              beside.equals(Engines.COPPICE)
                  ? own(load, wall("put")).map(own -> new Medians.Best(beside, own))
                  : medians.leastOfLmdb(load, wall("put"));
          Optional<Double> own = own(cell, wall("put"));
          return own.flatMap(put -> base.map(b -> new Found(put / b.number(), b.engine())));
        });
  }

  private Target order(String name, Workload workload) {
    return new Target(
        name,
        workload,
        Goal.atMost(1.0),
        cell ->
            own(cell, wall("put"))
                .flatMap(
                    put -> own(load(cell), wall("put")).map(base -> new Found(put / base, ""))));
  }

  private static Cell load(Cell cell) {
    return new Cell(Workload.LOAD.workloadName(), cell.set(), cell.count());
  }

  private static Optional<Double> own(Cell cell, Medians.Value value) {
    return value.of(cell, Engines.COPPICE).stream().boxed().findFirst();
  }

  private Finder millis(Medians.Value seconds) {
    return cell -> own(cell, seconds).map(number -> new Found(number * 1e3, ""));
  }

  private Optional<Found> pause(Cell cell) {
    String cold =
        own(cell, metric(Metric.COLD_GC_MAX))
            .map(seconds -> String.format(Locale.ROOT, "cold %.0f", seconds * 1e3))
            .orElse("");
    return own(cell, metric(Metric.GC_MAX)).map(seconds -> new Found(seconds * 1e3, cold));
  }

  private Optional<Found> heap(Cell cell) {
    String live =
        own(cell, metric(Metric.HEAP_LIVE))
            .map(bytes -> String.format(Locale.ROOT, "%.0f after collections", bytes / MIB))
            .orElse("");
    return own(cell, metric(Metric.HEAP_PEAK))
        .map(peak -> peak + own(cell, metric(Metric.HEAP_BASE)).orElse(0.0))
        .map(bytes -> new Found(bytes / MIB, live));
  }

  private Optional<Found> getsInLoad(Cell cell) {
    Optional<Double> lmdb =
        Engines.LMDB.stream().flatMap(mode -> getsInLoad(cell, mode).stream()).findFirst();
    String beside = lmdb.map(l -> String.format(Locale.ROOT, "LMDB %.2f", l)).orElse("");
    return getsInLoad(cell, Engines.COPPICE).map(share -> new Found(share, beside));
  }

  /** The rate beside the load as a share of the better of the rates before and after it. */
  private Optional<Double> getsInLoad(Cell cell, String engine) {
    OptionalDouble beside = medians.of(cell, engine, Metric.GETS_IN_LOAD);
    OptionalDouble before = medians.of(cell, engine, Metric.GETS_BEFORE);
    OptionalDouble after = medians.of(cell, engine, Metric.GETS_AFTER);
    if (beside.isEmpty() || before.isEmpty() || after.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(beside.getAsDouble() / Math.max(before.getAsDouble(), after.getAsDouble()));
  }
}
