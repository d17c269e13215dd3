package io.github.coppicedb.tree;

/**
 * What a tree is, but for its pages and its filter.
 *
 * @param root address of the root page; -1 when there are no entries
 * @param height number of levels; 0 when there are no entries
 * @param entries number of entries, tombstones included
 * @param tombstones number of tombstones
 * @param firstKey the least key; empty when there are no entries
 * @param lastKey the greatest key; empty when there are no entries
 * @param masks what the tree hides in older layers
 * @param largeFiles ids of the value files that entries refer to, distinct, in order
 */
public record TreeSummary(
    long root,
    int height,
    long entries,
    long tombstones,
    byte[] firstKey,
    byte[] lastKey,
    MaskedRanges masks,
    long[] largeFiles) {}
