package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.report.Medians.Cell;
import java.util.Locale;
import java.util.OptionalDouble;

/** A column: its head, and how its text is got. */
record Column(String head, Medians.Value value, double unit, int digits) {
  private static final double MEGA = 1e6;

  static Column seconds(String head, Medians.Value value) {
    return new Column(head, value, 1, 3);
  }

  static Column megabytes(String head, Medians.Value value) {
    return new Column(head, value, MEGA, 1);
  }

  static Column ratio(String head, Medians.Value value) {
    return new Column(head, value, 1, 2);
  }

  static Column whole(String head, Medians.Value value, double unit) {
    return new Column(head, value, unit, 0);
  }

  String text(Cell cell, String engine) {
    OptionalDouble found = value.of(cell, engine);
    return found.isEmpty()
        ? ""
        : String.format(Locale.ROOT, "%." + digits + "f", found.getAsDouble() / unit);
  }
}
