package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.report.Medians.Cell;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What a number should be at least, or at most.
 *
 * @param number for a cell; NaN where there is none
 */
record Goal(boolean isLeast, ToDoubleFunction<Cell> number) {
  static Goal atLeast(double number) {
    return new Goal(true, cell -> number);
  }

  static Goal atMost(double number) {
    return new Goal(false, cell -> number);
  }

  Verdict judge(Cell cell, double measured) {
    double goal = number.applyAsDouble(cell);
    if (Double.isNaN(goal)) {
      return Verdict.NO_GOAL;
    }
    return (isLeast ? measured >= goal : measured <= goal) ? Verdict.MET : Verdict.MISSED;
  }

  String text(Cell cell) {
    double goal = number.applyAsDouble(cell);
    return Double.isNaN(goal)
        ? "-"
        : String.format(Locale.ROOT, "%s %.1f", isLeast ? ">=" : "<=", goal);
  }
}
