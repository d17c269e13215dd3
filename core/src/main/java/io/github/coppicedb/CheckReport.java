package io.github.coppicedb;

/**
 * What a full check has looked at without finding damage.
 *
 * @param trees packed trees
 * @param pages pages of trees
 * @param entries entries of trees, tombstones and superseded ones included
 * @param values values in files of their own
 */
public record CheckReport(long trees, long pages, long entries, long values) {}
