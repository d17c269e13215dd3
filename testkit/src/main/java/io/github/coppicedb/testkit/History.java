package io.github.coppicedb.testkit;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A sequence of steps on one database, with its settings. Text form: a line with the settings, then
 * a line a step; empty lines and those that begin with {@code #} are comments.
 *
 * @param settings how the database is opened
 * @param steps what is done with it
 */
public record History(Settings settings, List<Step> steps) {
  /** Reads the text form. */
  public static History parse(String text) {
    List<String> lines =
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    List<Step> steps = lines.stream().skip(1).map(Step::parse).toList();
    return new History(Settings.parse(lines.getFirst()), steps);
  }

  /** Returns the same with other steps. */
  public History withSteps(List<Step> other) {
    return new History(settings, List.copyOf(other));
  }

  @Override
  public String toString() {
    return steps.stream()
        .map(Step::toString)
        .collect(Collectors.joining("\n", settings + "\n", "\n"));
  }
}
