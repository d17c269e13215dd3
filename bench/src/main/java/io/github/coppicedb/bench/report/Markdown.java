package io.github.coppicedb.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Lines of Markdown, as they come. One thread. */
public final class Markdown {
  private final List<String> lines = new ArrayList<>();

  /** Adds lines. */
  public void add(String... more) {
    lines.addAll(List.of(more));
  }

  /** Begins a table. */
  public void heads(List<String> heads) {
    row(heads);
    row(heads.stream().map(head -> "---").toList());
  }

  /** Adds a row of a table. */
  public void row(List<String> cells) {
    add("| " + String.join(" | ", cells) + " |");
  }

  /** Returns the lines so far. */
  public List<String> lines() {
    return List.copyOf(lines);
  }
}
