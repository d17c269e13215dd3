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
 * fastest first, a column of bars a set. Its colours can be read on dark and on light ground.
 */
final class PutPlot {
  static final String FILE = "put.svg";

  private static final int LEFT = 110;
  private static final int PANEL = 250;
  private static final int BAR = 190;
  private static final int ROW = 22;
  private static final int TOP = 64;
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
            .flatMapToDouble(cell -> engines.stream().mapToDouble(e -> micros(cell, e)))
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

  private double mean(String engine) {
    return cells.stream().mapToDouble(cell -> micros(cell, engine)).average().orElse(0);
  }

  private String text() {
    int width = LEFT + PANEL * cells.size();
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
            "%,d keys put in random order in one transaction: microseconds a key (less is better)",
            cells.getFirst().count()));
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
        int length = (int) Math.max(1, Math.round(BAR * micros / most));
        String kind = kind(engines.get(row));
        line(
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"%s\"/>"
                .formatted(left, TOP + ROW * row + 2, length, ROW - 6, kind));
        label(
            left + length + 6,
            TOP + ROW * row + BASE,
            kind,
            String.format(Locale.ROOT, "%.2f", micros));
      }
    }
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
