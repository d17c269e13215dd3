package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.keys.PreparedKeys;
import java.nio.file.Path;

/**
 * What a child is to do.
 *
 * @param directory an empty folder for the database
 * @param warmUp keys of a run before, which is not measured; 0 = none
 */
record EngineTask(
    PreparedKeys keys, int count, int probes, Workload workload, Path directory, int warmUp) {}
