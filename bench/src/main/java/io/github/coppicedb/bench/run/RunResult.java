package io.github.coppicedb.bench.run;

import java.util.Map;

/**
 * What one run gave.
 *
 * @param values by the names in {@link Metric}; what is missing was not measured
 */
public record RunResult(RunKey key, Map<String, Double> values) {}
