package io.github.coppicedb.top;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.tree.MaskedRanges;
import io.github.coppicedb.tree.PackedTree;
import io.github.coppicedb.tree.TreeBuilder;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Writes the newest records before a mark, one a key and in order, into a packed tree. What each
 * key shares with the one before comes from comparing neighbours once. A tombstone that a mask of
 * the same top covers is left out: the tree has the mask, which hides older layers as well.
 * Confined to one thread.
 */
final class TopSealer {
  private final byte[] arena;
  private final MemorySegment segment;
  private final MaskedRanges masks;
  private final TreeBuilder builder;

  TopSealer(ArenaBytes arena, MaskedRanges masks, TreeBuilder builder) {
    this.arena = arena.array();
    this.segment = arena.segment();
    this.masks = masks;
    this.builder = builder;
  }

  /** Seals a run that is sorted by key, then by offset. */
  PackedTree seal(int[] run, int mark) {
    int newest = ArenaRecord.NONE;
    int shared = 0;
    for (int record : run) {
      if (record >= mark) {
        continue;
      }
      if (newest == ArenaRecord.NONE) {
        newest = record;
        continue;
      }
      int differs = mismatch(newest, record);
      if (differs >= 0) {
        shared = add(newest, shared) ? differs : Math.min(shared, differs);
      }
      newest = record;
    }
    if (newest != ArenaRecord.NONE) {
      add(newest, shared);
    }
    return builder.finish(masks);
  }

  /** Returns where two keys begin to differ, -1 if they are equal. */
  private int mismatch(int first, int second) {
    int a = ArenaRecord.keyOffset(arena, first);
    int b = ArenaRecord.keyOffset(arena, second);
    int aEnd = a + ArenaRecord.keyLength(arena, first);
    int bEnd = b + ArenaRecord.keyLength(arena, second);
    return Arrays.mismatch(arena, a, aEnd, arena, b, bEnd);
  }

  /** Adds a record that shares some bytes with the last one added; returns false if not needed. */
  private boolean add(int record, int shared) {
    byte kind = ArenaRecord.kind(arena, record);
    if (kind == EntryKind.TOMBSTONE && isMasked(record)) {
      return false;
    }
    int key = ArenaRecord.keyOffset(arena, record);
    int keyLength = ArenaRecord.keyLength(arena, record);
    builder.add(
        shared,
        segment,
        key + shared,
        keyLength - shared,
        kind,
        segment,
        key + keyLength,
        ArenaRecord.valueLength(arena, record));
    return true;
  }

  private boolean isMasked(int record) {
    return !masks.isEmpty()
        && masks.covers(ArenaRecord.key(arena, record), ArenaRecord.keyLength(arena, record));
  }
}
