package io.github.coppicedb.top;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.tree.MaskedRanges;
import io.github.coppicedb.tree.PackedTree;
import io.github.coppicedb.tree.TreeBuilder;

/**
 * Writes the newest records before a mark, one a key and in order, into a packed tree. A tombstone
 * that a mask of the same top covers is left out: the tree has the mask, which hides older layers
 * as well. Confined to one thread.
 */
final class TopSealer {
  private final byte[] arena;
  private final MaskedRanges masks;
  private final TreeBuilder builder;

  TopSealer(ArenaBytes arena, MaskedRanges masks, TreeBuilder builder) {
    this.arena = arena.array();
    this.masks = masks;
    this.builder = builder;
  }

  /** Seals the records before a mark. */
  PackedTree seal(SortedRecords sorted, int mark) {
    int[] records = sorted.records();
    int newest = ArenaRecord.NONE;
    // What the key at hand shares with the last one added.
    int shared = 0;
    for (int i = 0; i < records.length; i++) {
      int common = sorted.shared()[i];
      if (common != SortedRecords.SAME) {
        boolean isAdded = newest != ArenaRecord.NONE && add(newest, shared);
        shared = isAdded ? common : Math.min(shared, common);
        newest = ArenaRecord.NONE;
      }
      if (records[i] < mark) {
        newest = records[i];
      }
    }
    if (newest != ArenaRecord.NONE) {
      add(newest, shared);
    }
    return builder.finish(masks);
  }

  /** Adds a record that shares some bytes with the last one added; returns false if not needed. */
  private boolean add(int record, int shared) {
    byte kind = ArenaRecord.kind(arena, record);
    if (kind == EntryKind.TOMBSTONE && isMasked(record)) {
      return false;
    }
    int key = ArenaRecord.keyOffset(record);
    int keyLength = ArenaRecord.keyLength(arena, record);
    builder.add(
        shared,
        arena,
        key,
        keyLength,
        kind,
        arena,
        ArenaRecord.valueOffset(arena, record),
        ArenaRecord.valueLength(arena, record));
    return true;
  }

  private boolean isMasked(int record) {
    return !masks.isEmpty()
        && masks.covers(ArenaRecord.key(arena, record), ArenaRecord.keyLength(arena, record));
  }
}
