package io.github.coppicedb.top;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import java.lang.foreign.MemorySegment;

/**
 * An ordered walk over the newest records before a mark, one a key, over the runs of a {@link
 * TopOrder}. Each run has a place: on the way up, behind all keys up to the current one; on the way
 * down, behind all keys below it. Where the direction turns, the places are sought anew.
 *
 * <p>The records it walks never change, so neither does what it shows. Confined to one thread.
 */
final class TopCursor implements EntryCursor {
  private static final byte[] NO_KEY = {};

  private final byte[] arena;
  private final MemorySegment segment;
  private final int mark;
  private final int[][] runs;
  private final int[] places;
  private int current = ArenaRecord.NONE;
  private boolean goesUp;
  private byte[] key = NO_KEY;
  private int keyLength;
  private boolean keyIsCopied;

  /** Makes a cursor; the arena holds every record that the order names. */
  TopCursor(ArenaBytes arena, TopOrder order, int mark) {
    this.arena = arena.array();
    this.segment = arena.segment();
    this.mark = mark;
    this.runs = order.runs();
    this.places = new int[runs.length];
  }

  @Override
  public boolean first() {
    for (int i = 0; i < runs.length; i++) {
      places[i] = 0;
    }
    return up();
  }

  @Override
  public boolean last() {
    for (int i = 0; i < runs.length; i++) {
      places[i] = runs[i].length;
    }
    return down();
  }

  @Override
  public boolean seekCeiling(byte[] sought, int soughtLength) {
    placeBefore(sought, soughtLength);
    return up();
  }

  @Override
  public boolean seekFloor(byte[] sought, int soughtLength) {
    placeBehind(sought, soughtLength);
    return down();
  }

  @Override
  public boolean next() {
    if (current == ArenaRecord.NONE) {
      return first();
    }
    if (!goesUp) {
      placeBehind(key(), keyLength);
    }
    return up();
  }

  @Override
  public boolean previous() {
    if (current == ArenaRecord.NONE) {
      return last();
    }
    if (goesUp) {
      placeBefore(key(), keyLength);
    }
    return down();
  }

  @Override
  public byte[] key() {
    if (!keyIsCopied) {
      if (key.length < keyLength) {
        key = new byte[Math.max(32, keyLength + keyLength / 2)];
      }
      System.arraycopy(arena, ArenaRecord.keyOffset(current), key, 0, keyLength);
      keyIsCopied = true;
    }
    return key;
  }

  @Override
  public int keyLength() {
    return keyLength;
  }

  @Override
  public int shared() {
    return UNKNOWN;
  }

  @Override
  public boolean isTombstone() {
    return ArenaRecord.kind(arena, current) == EntryKind.TOMBSTONE;
  }

  @Override
  public void value(EntryValue out) {
    ArenaTop.showValue(arena, segment, current, out);
  }

  /** Returns the current record, or {@link ArenaRecord#NONE}. */
  int record() {
    return current;
  }

  private void placeBefore(byte[] sought, int soughtLength) {
    for (int i = 0; i < runs.length; i++) {
      places[i] = TopOrder.lowerBound(arena, runs[i], sought, soughtLength);
    }
  }

  private void placeBehind(byte[] sought, int soughtLength) {
    for (int i = 0; i < runs.length; i++) {
      places[i] = TopOrder.upperBound(arena, runs[i], sought, soughtLength);
    }
  }

  /** Goes to the least key behind the places. */
  private boolean up() {
    goesUp = true;
    int least = ArenaRecord.NONE;
    for (int i = 0; i < runs.length; i++) {
      int record = skipUp(i);
      if (record != ArenaRecord.NONE
          && (least == ArenaRecord.NONE || ArenaRecord.compareKeys(arena, record, least) < 0)) {
        least = record;
      }
    }
    int newest = least;
    for (int i = 0; i < runs.length && least != ArenaRecord.NONE; i++) {
      int[] run = runs[i];
      int at = places[i];
      for (; at < run.length && isSameKey(run[at], least); at++) {
        newest = run[at] < mark ? Math.max(newest, run[at]) : newest;
      }
      places[i] = at;
    }
    return stand(newest);
  }

  /** Goes to the greatest key before the places. */
  private boolean down() {
    goesUp = false;
    int greatest = ArenaRecord.NONE;
    for (int i = 0; i < runs.length; i++) {
      int record = skipDown(i);
      if (record != ArenaRecord.NONE
          && (greatest == ArenaRecord.NONE
              || ArenaRecord.compareKeys(arena, record, greatest) > 0)) {
        greatest = record;
      }
    }
    int newest = greatest;
    for (int i = 0; i < runs.length && greatest != ArenaRecord.NONE; i++) {
      int[] run = runs[i];
      int at = places[i];
      for (; at > 0 && isSameKey(run[at - 1], greatest); at--) {
        newest = run[at - 1] < mark ? Math.max(newest, run[at - 1]) : newest;
      }
      places[i] = at;
    }
    return stand(newest);
  }

  /** Moves a place up to the next record before the mark and returns it. */
  private int skipUp(int i) {
    int[] run = runs[i];
    int at = places[i];
    while (at < run.length && run[at] >= mark) {
      at++;
    }
    places[i] = at;
    return at < run.length ? run[at] : ArenaRecord.NONE;
  }

  private int skipDown(int i) {
    int[] run = runs[i];
    int at = places[i];
    while (at > 0 && run[at - 1] >= mark) {
      at--;
    }
    places[i] = at;
    return at > 0 ? run[at - 1] : ArenaRecord.NONE;
  }

  private boolean isSameKey(int record, int other) {
    if (record == other) {
      return true;
    }
    return ArenaRecord.keyLength(arena, record) == ArenaRecord.keyLength(arena, other)
        && ArenaRecord.compareKeys(arena, record, other) == 0;
  }

  private boolean stand(int record) {
    current = record;
    keyIsCopied = false;
    keyLength = record == ArenaRecord.NONE ? 0 : ArenaRecord.keyLength(arena, record);
    return record != ArenaRecord.NONE;
  }
}
