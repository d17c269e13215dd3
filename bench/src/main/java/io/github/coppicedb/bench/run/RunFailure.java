package io.github.coppicedb.bench.run;

/** A run that did not end well, and its reason in a line. */
public record RunFailure(RunKey key, String reason) {}
