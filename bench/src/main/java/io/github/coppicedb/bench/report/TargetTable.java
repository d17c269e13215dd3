package io.github.coppicedb.bench.report;

import io.github.coppicedb.bench.report.Target.Line;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The table of targets, and the list of those that were missed. One thread. */
final class TargetTable {
  private final Targets targets;
  private final Markdown out;

  TargetTable(Targets targets, Markdown out) {
    this.targets = targets;
    this.out = out;
  }

  void write() {
    List<Line> lines = targets.all().stream().flatMap(t -> targets.lines(t).stream()).toList();
    long met = lines.stream().filter(line -> line.verdict() == Verdict.MET).count();
    long missed = lines.stream().filter(TargetTable::isMissed).count();
    out.add(
        "## Targets",
        "",
        "%d met, %d missed. Ratios are LMDB's number divided by Coppice's unless the name says"
                .formatted(met, missed)
            + " otherwise; in parentheses the run of LMDB that was the best, which is the one"
            + " compared with.",
        "");
    Set<Integer> counts = new TreeSet<>(lines.stream().map(l -> l.cell().count()).toList());
    List<String> heads = new ArrayList<>(List.of("target", "goal", "set"));
    counts.forEach(count -> heads.add("%,d keys".formatted(count)));
    out.heads(heads);
    targets.all().forEach(target -> rows(target, counts));
    out.add("");
    missed(lines);
  }

  private static boolean isMissed(Line line) {
    return line.verdict() == Verdict.MISSED || line.verdict() == Verdict.FAILED;
  }

  private void rows(Target target, Set<Integer> counts) {
    Map<String, List<Line>> bySet = new LinkedHashMap<>();
    for (Line line : targets.lines(target)) {
      bySet.computeIfAbsent(line.cell().set(), any -> new ArrayList<>()).add(line);
    }
    if (bySet.isEmpty()) {
      out.row(List.of(target.name(), "", "", Verdict.NOT_MEASURED.toString()));
    }
    bySet.forEach(
        (set, lines) -> {
          List<String> goals =
              lines.stream().map(line -> target.goal().text(line.cell())).distinct().toList();
          List<String> row = new ArrayList<>(List.of(target.name(), String.join("; ", goals), set));
          counts.forEach(count -> row.add(cell(lines, count)));
          out.row(row);
        });
  }

  private static String cell(List<Line> lines, int count) {
    return lines.stream()
        .filter(line -> line.cell().count() == count)
        .map(line -> "%s %s%s".formatted(line.number(), mark(line), line.beside()))
        .findFirst()
        .orElse("");
  }

  private static String mark(Line line) {
    return isMissed(line) ? "**" + line.verdict() + "**" : line.verdict().toString();
  }

  private void missed(List<Line> lines) {
    if (lines.stream().anyMatch(TargetTable::isMissed)) {
      out.add("### Missed, and why", "");
      lines.stream()
          .filter(TargetTable::isMissed)
          .forEach(
              line ->
                  out.add(
                      "- %s, %s, %,d keys: %s, goal %s. Reason: "
                          .formatted(
                              line.target().name(),
                              line.cell().set(),
                              line.cell().count(),
                              line.number(),
                              line.target().goal().text(line.cell()))));
      out.add("");
    }
  }
}
