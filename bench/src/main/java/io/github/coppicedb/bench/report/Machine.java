package io.github.coppicedb.bench.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the runs ran on, as lines of a Markdown list. */
public final class Machine {
  private Machine() {}

  /** Returns the facts; the folder is the one with the databases. */
  public static List<String> facts(Path folder, Instant now) throws IOException {
    List<String> facts = new ArrayList<>();
    facts.add("time: " + now.truncatedTo(ChronoUnit.SECONDS));
    facts.add(
        "processors: %d, %s"
            .formatted(
                Runtime.getRuntime().availableProcessors(), fact("/proc/cpuinfo", "model name")));
    facts.add("memory: " + fact("/proc/meminfo", "MemTotal"));
    facts.add(
        String.format(
            Locale.ROOT,
            "load average of the last minute at the end: %.2f",
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
    facts.add("system: " + properties("os.name", "os.version", "os.arch"));
    facts.add("Java: " + properties("java.vendor", "java.runtime.version", "java.vm.name"));
    facts.add("file system of the databases: " + Files.getFileStore(folder).type());
    return facts;
  }

  private static String properties(String... names) {
    List<String> values = new ArrayList<>();
    for (String name : names) {
      values.add(System.getProperty(name, "?"));
    }
    return String.join(" ", values);
  }

  private static String fact(String file, String name) throws IOException {
    Path path = Path.of(file);
    if (!Files.isReadable(path)) {
      return "unknown";
    }
    return Files.readAllLines(path).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }
}
