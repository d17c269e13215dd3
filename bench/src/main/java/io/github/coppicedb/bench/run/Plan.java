package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.EngineSpec;
import io.github.coppicedb.bench.keys.KeySource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a suite is to run.
 *
 * @param probes lookups of each kind, hits and misses
 * @param warmUp keys of an unmeasured run before each measured one in Java; 0 = none
 * @param seed of the shuffles
 * @param limit for one run
 * @param heap the -Xmx of children in Java, or null for the JVM's own
 * @param work a folder for keys and databases; it is removed at the end
 */
public record Plan(
    List<KeySource> sources,
    List<Integer> counts,
    List<EngineSpec> engines,
    List<Workload> workloads,
    int rounds,
    int probes,
    int warmUp,
    long seed,
    Duration limit,
    @Nullable String heap,
    Path work) {}
