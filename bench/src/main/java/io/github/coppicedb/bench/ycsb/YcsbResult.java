package io.github.coppicedb.bench.ycsb;

import java.util.Map;

/** What a run gave. */
record YcsbResult(
    YcsbWorkload workload, YcsbEngine engine, int round, Map<String, Double> values) {}
