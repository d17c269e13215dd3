package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.engine.Engines;
import io.github.coppicedb.bench.report.Medians.Cell;
import io.github.coppicedb.bench.run.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The one plot that matters, as SVG: the put phase of the load with most keys, a row an engine, the
 * fastest first, a column of bars a set, and pale how much longer it takes until the transaction is
 * on the device and the database closed. Its colours can be read on dark and on light ground.
 */
final class PutPlot {
  static final String FILE = "put.svg";

  private static final int LEAST_WIDTH = 640;
  private static final int LEFT = 128;
  private static final int PANEL = 250;
  private static final int BAR = 190;
  private static final int ROW = 22;
  private static final int TOP = 78;
  private static final int BASE = 14;
  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, sans-serif; fill: #57606a; }
        .head { font-weight: 600; }
        text.own { font-weight: 600; }
        rect { fill: #8c959f; }
        rect.lmdb { fill: #bf8700; }
        rect.own { fill: #2da44e; }
        .rest { opacity: 0.35; }
        @media (prefers-color-scheme: dark) { text { fill: #adbac7; } }
      </style>
      """;

  private final Medians medians;
  private final List<Cell> cells;
  private final List<String> engines;
  private final double most;
  private final StringBuilder svg = new StringBuilder();

  private PutPlot(Medians medians, List<Cell> cells) {
    this.medians = medians;
    this.cells = cells;
    this.engines =
        Engines.all().stream()
            .map(EngineSpec::name)
            .filter(name -> mean(name) > 0)
            .sorted(Comparator.comparingDouble(this::mean))
            .toList();
    this.most =
        cells.stream()
            .flatMapToDouble(cell -> engines.stream().mapToDouble(e -> closedMicros(cell, e)))
            .max()
            .orElse(1);
  }

  /** Draws it into a folder; returns its name if there was something to draw. */
  static Optional<String> draw(Medians medians, Path folder) throws IOException {
    List<Cell> loads =
        medians.cells().stream()
            .filter(cell -> cell.workload().equals(Workload.LOAD.workloadName()))
            .toList();
    int most = loads.stream().mapToInt(Cell::count).max().orElse(0);
    List<Cell> cells = loads.stream().filter(cell -> cell.count() == most).toList();
    if (cells.isEmpty()) {
      return Optional.empty();
    }
    Files.writeString(folder.resolve(FILE), new PutPlot(medians, cells).text());
    return Optional.of(FILE);
  }

  private double micros(Cell cell, String engine) {
    return medians.putNanos(cell, engine).orElse(0) / 1e3;
  }

  /** Until the database is closed; of an engine in memory until the puts are done. */
  private double closedMicros(Cell cell, String engine) {
    return medians.durable(cell, engine).orElse(0) * 1e6 / cell.count();
  }

  private double mean(String engine) {
    return cells.stream().mapToDouble(cell -> micros(cell, engine)).average().orElse(0);
  }

  private String text() {
    int width = Math.max(LEAST_WIDTH, LEFT + PANEL * cells.size());
    int height = TOP + ROW * engines.size() + 8;
    line(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
        role="img">
        <title>Put phase, microseconds a key</title>\
        """
            .formatted(width, height));
    svg.append(STYLE);
    label(
        0,
        18,
        "head",
        String.format(
            Locale.ROOT,
            "%,d keys in random order in one transaction: microseconds a key of the put phase",
            cells.getFirst().count()));
    label(0, 36, "note", "pale: until it is committed, on the device and closed; less is better");
    for (int row = 0; row < engines.size(); row++) {
      String kind = kind(engines.get(row));
      label(0, TOP + ROW * row + BASE, kind, engines.get(row));
    }
    for (int column = 0; column < cells.size(); column++) {
      panel(column);
    }
    line("</svg>");
    return svg.toString();
  }

  private void panel(int column) {
    int left = LEFT + PANEL * column;
    label(left, TOP - 14, "head", cells.get(column).set());
    for (int row = 0; row < engines.size(); row++) {
      double micros = micros(cells.get(column), engines.get(row));
      if (micros > 0) {
        row(left, TOP + ROW * row, engines.get(row), cells.get(column));
      }
    }
  }

  private void row(int left, int top, String engine, Cell cell) {
    String kind = kind(engine);
    int put = length(micros(cell, engine));
    int closed = Math.max(put, length(closedMicros(cell, engine)));
    bar(left, top, put, kind);
    bar(left + put, top, closed - put, kind + " rest");
    String number = String.format(Locale.ROOT, "%.2f", micros(cell, engine));
    label(left + closed + 6, top + BASE, kind, number);
  }

  private int length(double micros) {
    return (int) Math.max(1, Math.round(BAR * micros / most));
  }

  private void bar(int left, int top, int length, String kind) {
    line(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"%s\"/>"
            .formatted(left, top + 2, length, ROW - 6, kind));
  }

  private static String kind(String engine) {
    if (engine.equals(Engines.COPPICE)) {
      return "own";
    }
    return engine.startsWith("lmdb") ? "lmdb" : "other";
  }

  private void label(int x, int y, String kind, String text) {
    line("<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>".formatted(x, y, kind, text));
  }

  private void line(String text) {
    svg.append(text).append('\n');
  }
}
