package io.github.coppicedb;

/**
 * What one part of a database holds.
 *
 * @param name {@code memory}, {@code level 0}, {@code level 1}... or {@code base}
 * @param runs sorted runs that a read may have to consult
 * @param trees packed trees
 * @param entries entries, tombstones and superseded ones included
 * @param tombstones entries that only hide older ones
 * @param bytes bytes of heap, or of tree files
 */
public record LevelStats(
    String name, int runs, int trees, long entries, long tombstones, long bytes) {}
