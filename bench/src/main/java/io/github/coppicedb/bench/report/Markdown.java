package io.github.coppicedb.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Lines of Markdown, as they come. One thread. */
final class Markdown {
  private final List<String> lines = new ArrayList<>();

  void add(String... more) {
    lines.addAll(List.of(more));
  }

  /** Begins a table. */
  void heads(List<String> heads) {
    row(heads);
    row(heads.stream().map(head -> "---").toList());
  }

  void row(List<String> cells) {
    add("| " + String.join(" | ", cells) + " |");
  }

  List<String> lines() {
    return List.copyOf(lines);
  }
}
