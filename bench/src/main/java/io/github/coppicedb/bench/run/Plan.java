package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.keys.KeySource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a suite is to run.
 *
 * @param parts in each round one after the other
 * @param peerRounds rounds of the engines that are neither ours nor LMDB in C
 * @param probes lookups of each kind, hits and misses; 0 = runs end with the close
 * @param warmUp keys of unmeasured runs before each measured one in Java, no more than are
 *     measured; 0 = none
 * @param seed of the shuffles
 * @param limit for one run
 * @param heap the -Xmx of children in Java, or null for the JVM's own
 * @param work a folder for keys and databases; it is removed at the end
 */
public record Plan(
    List<KeySource> sources,
    List<Part> parts,
    int rounds,
    int peerRounds,
    int probes,
    int warmUp,
    long seed,
    Duration limit,
    @Nullable String heap,
    Path work) {
  /** Engines, what they do, and with how many keys; each with each. */
  public record Part(List<EngineSpec> engines, List<Workload> workloads, List<Integer> counts) {}

  /** Returns all engines, each once. */
  Set<EngineSpec> engines() {
    Set<EngineSpec> engines = new LinkedHashSet<>();
    parts.forEach(part -> engines.addAll(part.engines()));
    return engines;
  }

  /** Returns the least number of keys that a part asks for. */
  int leastCount() {
    return Collections.min(counts());
  }

  /** Returns the most keys that a part asks for. */
  int mostCount() {
    return Collections.max(counts());
  }

  private List<Integer> counts() {
    return parts.stream().flatMap(part -> part.counts().stream()).toList();
  }
}
