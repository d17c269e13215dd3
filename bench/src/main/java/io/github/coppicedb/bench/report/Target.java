package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.report.Medians.Cell;
import io.github.coppicedb.bench.run.Workload;
import java.util.Locale;
import java.util.Optional;

/** A line of the table of targets: a goal for all cells of a workload. */
record Target(String name, Workload workload, Goal goal, Finder finder) {
  /** What was measured, and beside what: the run of LMDB that was the best, or other numbers. */
  record Found(double number, String beside) {}

  /** How the number is got for a cell. */
  @FunctionalInterface
  interface Finder {
    Optional<Found> find(Cell cell);
  }

  /** A target in one cell. */
  record Line(Target target, Cell cell, Optional<Found> found, Verdict verdict) {
    /** Returns the line for eyes and scripts. */
    String text() {
      return "target '%s' %s %d measured %s goal %s %s%s"
          .formatted(
              target.name(),
              cell.set(),
              cell.count(),
              number(),
              target.goal().text(cell),
              verdict,
              beside());
    }

    String number() {
      return found.map(f -> String.format(Locale.ROOT, "%.2f", f.number())).orElse("-");
    }

    String beside() {
      return found.map(Found::beside).filter(b -> !b.isEmpty()).map(b -> " (" + b + ")").orElse("");
    }
  }

  Line line(Cell cell, boolean isFailed) {
    Optional<Found> found = finder.find(cell);
    Verdict without = isFailed ? Verdict.FAILED : Verdict.NOT_MEASURED;
    return new Line(
        this, cell, found, found.map(f -> goal.judge(cell, f.number())).orElse(without));
  }
}
