package io.github.coppicedb.bench.run;

import java.util.List;
import java.util.Map;

/**
 * What a whole suite gave.
 *
 * @param missing engines that could not be run at all, and why
 * @param versions of engines, where they are known
 */
public record Outcome(
    List<RunResult> results,
    List<RunFailure> failures,
    Map<String, String> missing,
    Map<String, String> versions) {}
