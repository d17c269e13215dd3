package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.run.Outcome;
import io.github.coppicedb.bench.run.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes all files of a report. */
public final class Report {
  private Report() {}

  /** Writes results.csv, report.md and the plots into a folder. */
  public static void write(Outcome outcome, Plan plan, Path folder) throws IOException {
    Files.write(folder.resolve("results.csv"), Csv.lines(outcome.results()));
    List<String> facts = new ArrayList<>(Machine.facts(plan.work(), Instant.now()));
    facts.add(
        String.format(
            Locale.ROOT,
            "rounds %d (peers %d), seed %d, lookups %,d of each kind, heap %s",
            plan.rounds(),
            plan.peerRounds(),
            plan.seed(),
            plan.probes(),
            plan.heap() == null ? "the JVM's default" : plan.heap()));
    facts.add(warmUp(plan));
    plan.sources()
        .forEach(
            source ->
                facts.add("warm-up of %s: keys %s".formatted(source.name(), source.saysOthers())));
    List<String> plots = Plots.draw(new Medians(outcome.results()), folder);
    Files.write(folder.resolve("report.md"), MarkdownReport.lines(outcome, facts, plots));
  }

  private static String warmUp(Plan plan) {
    return plan.warmUp() == 0
        ? "no warm-up: all runs in Java are cold"
        : String.format(
            Locale.ROOT,
            "warm: before each measured run in Java, unmeasured ones in the same process, of as"
                + " many other keys, but at most %,d; two, and up to five as long as puts become"
                + " faster, none begun after 20 s; then, at most for 2 s, until compilers and other"
                + " threads rest. \"Cold\" is the first of them",
            plan.warmUp());
  }
}
