package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.engine.Engines;
import io.github.coppicedb.bench.report.Medians.Cell;
import io.github.coppicedb.bench.run.Metric;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Bars: for each workload and set one picture of times and one of sizes, as SVG and as PNG. */
public final class Plots {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 500;
  private static final double MEGA = 1e6;

  private final Medians medians;
  private final Path folder;
  private final List<String> files = new ArrayList<>();

  private Plots(Medians medians, Path folder) {
    this.medians = medians;
    this.folder = folder;
  }

  /** Draws all pictures into a folder and returns the names of the SVG files. */
  public static List<String> draw(Medians medians, Path folder) throws IOException {
    Plots plots = new Plots(medians, folder);
    PutPlot.draw(medians, folder).ifPresent(plots.files::add);
    Set<String> seen = new LinkedHashSet<>();
    for (Cell cell : medians.cells()) {
      if (seen.add(cell.workload() + "-" + cell.set())) {
        plots.drawSet(cell);
      }
    }
    return plots.files;
  }

  private void drawSet(Cell any) throws IOException {
    List<Cell> cells =
        medians.cells().stream()
            .filter(cell -> cell.workload().equals(any.workload()) && cell.set().equals(any.set()))
            .toList();
    String name = any.workload() + "-" + any.set();
    bars(
        name + "-put",
        "%s, %s: put phase".formatted(any.set(), any.workload()),
        "microseconds a key",
        cells,
        (cell, engine) -> perKey(cell, engine, Metric.wall("put"), MEGA));
    bars(
        name + "-disk",
        "%s, %s: bytes on disk".formatted(any.set(), any.workload()),
        "bytes a key",
        cells,
        (cell, engine) -> perKey(cell, engine, Metric.DISK, 1));
  }

  /** A number to draw; 0 draws nothing. */
  @FunctionalInterface
  private interface Bar {
    double height(Cell cell, String engine);
  }

  private double perKey(Cell cell, String engine, String metric, double unit) {
    return medians.of(cell, engine, metric).orElse(0) * unit / cell.count();
  }

  private void bars(String file, String title, String unit, List<Cell> cells, Bar bar)
      throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("keys")
            .yAxisTitle(unit)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    List<String> counts = cells.stream().map(cell -> String.valueOf(cell.count())).toList();
    for (EngineSpec engine : Engines.all()) {
      List<Double> heights = cells.stream().map(cell -> bar.height(cell, engine.name())).toList();
      if (heights.stream().anyMatch(height -> height > 0)) {
        chart.addSeries(engine.name(), counts, heights);
      }
    }
    if (!chart.getSeriesMap().isEmpty()) {
      String path = folder.resolve(file).toString();
      VectorGraphicsEncoder.saveVectorGraphic(chart, path, VectorGraphicsFormat.SVG);
      BitmapEncoder.saveBitmap(chart, path, BitmapEncoder.BitmapFormat.PNG);
      files.add(file + ".svg");
    }
  }
}
