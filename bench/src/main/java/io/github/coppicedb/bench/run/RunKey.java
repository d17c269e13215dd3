package io.github.coppicedb.bench.run;

/**
 * What was run.
 *
 * @param round from 1
 */
public record RunKey(String engine, String set, int count, String workload, int round) {}
