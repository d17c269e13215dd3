package io.github.coppicedb.lsm;

import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.MaskedRanges;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the keys that are present in a stack of layers: tombstones, what they hide and what
 * masked ranges hide are passed over. Same rules of position as {@link EntryCursor}.
 *
 * <p>Invariant while it stands on an entry: going forward every layer's cursor that is {@code live}
 * stands on its first key that is not less than the current one; going backward on its last key
 * that is not greater. {@code current} is the newest layer that stands on the current key.
 */
public final class MergingCursor implements EntryCursor {
  private final EntryCursor[] cursors;
  private final boolean[] live;
  private final @Nullable MaskedRanges[] masks;
  private final boolean anyMasks;
  private final EntryValue value = new EntryValue();
  private byte[] turnKey = {};
  private int current = -1;
  private boolean forward = true;

  MergingCursor(Layer[] layers) {
    cursors = new EntryCursor[layers.length];
    live = new boolean[layers.length];
    masks = new MaskedRanges[layers.length];
    boolean any = false;
    for (int i = 0; i < layers.length; i++) {
      cursors[i] = layers[i].cursor();
      MaskedRanges ranges = layers[i].masks();
      if (!ranges.isEmpty()) {
        masks[i] = ranges;
        any = true;
      }
    }
    anyMasks = any;
  }

  @Override
  public boolean first() {
    forward = true;
    for (int i = 0; i < cursors.length; i++) {
      live[i] = cursors[i].first();
    }
    return settle();
  }

  @Override
  public boolean last() {
    forward = false;
    for (int i = 0; i < cursors.length; i++) {
      live[i] = cursors[i].last();
    }
    return settle();
  }

  @Override
  public boolean seekCeiling(byte[] key, int keyLength) {
    forward = true;
    for (int i = 0; i < cursors.length; i++) {
      live[i] = cursors[i].seekCeiling(key, keyLength);
    }
    return settle();
  }

  @Override
  public boolean seekFloor(byte[] key, int keyLength) {
    forward = false;
    for (int i = 0; i < cursors.length; i++) {
      live[i] = cursors[i].seekFloor(key, keyLength);
    }
    return settle();
  }

  @Override
  public boolean next() {
    if (current < 0) {
      return first();
    }
    if (!forward) {
      turn(true);
    }
    step();
    return settle();
  }

  @Override
  public boolean previous() {
    if (current < 0) {
      return last();
    }
    if (forward) {
      turn(false);
    }
    step();
    return settle();
  }

  @Override
  public byte[] key() {
    return cursors[current].key();
  }

  @Override
  public int keyLength() {
    return cursors[current].keyLength();
  }

  @Override
  public void value(EntryValue out) {
    cursors[current].value(out);
  }

  /** Changes the direction: all layers are placed anew beside the current key. */
  private void turn(boolean toForward) {
    int length = keyLength();
    if (turnKey.length < length) {
      turnKey = new byte[Math.max(length, 2 * turnKey.length)];
    }
    System.arraycopy(key(), 0, turnKey, 0, length);
    forward = toForward;
    for (int i = 0; i < cursors.length; i++) {
      EntryCursor cursor = cursors[i];
      live[i] = toForward ? cursor.seekCeiling(turnKey, length) : cursor.seekFloor(turnKey, length);
    }
    choose();
  }

  /** Moves every layer that stands on the current key one on. */
  private void step() {
    EntryCursor leader = cursors[current];
    for (int i = current + 1; i < cursors.length; i++) {
      if (live[i] && compare(cursors[i], leader) == 0) {
        live[i] = move(cursors[i]);
      }
    }
    live[current] = move(leader);
  }

  /** Goes on from wherever the layers stand to the next key that is present. */
  private boolean settle() {
    while (choose()) {
      if (anyMasks && skipMasked()) {
        continue;
      }
      cursors[current].value(value);
      if (!value.isTombstone()) {
        return true;
      }
      step();
    }
    return false;
  }

  /** Finds the newest layer that stands on the nearest key. */
  private boolean choose() {
    int best = -1;
    for (int i = 0; i < cursors.length; i++) {
      if (live[i]) {
        if (best < 0) {
          best = i;
        } else {
          int order = compare(cursors[i], cursors[best]);
          if (forward ? order < 0 : order > 0) {
            best = i;
          }
        }
      }
    }
    current = best;
    return best >= 0;
  }

  /** Takes the older layers past a masked range that hides the current entry, if one does. */
  private boolean skipMasked() {
    byte[] key = key();
    int length = keyLength();
    for (int newer = 0; newer < current; newer++) {
      MaskedRanges ranges = masks[newer];
      MaskedRanges.Range range = ranges == null ? null : ranges.covering(key, length);
      if (range != null) {
        for (int i = newer + 1; i < cursors.length; i++) {
          if (live[i] && range.contains(cursors[i].key(), cursors[i].keyLength())) {
            live[i] = leave(cursors[i], range);
          }
        }
        return true;
      }
    }
    return false;
  }

  private boolean leave(EntryCursor cursor, MaskedRanges.Range range) {
    if (forward) {
      byte[] high = range.high();
      return high != null && cursor.seekCeiling(high, high.length);
    }
    byte[] low = range.low();
    if (!cursor.seekFloor(low, low.length)) {
      return false;
    }
    boolean onLow = Arrays.equals(low, 0, low.length, cursor.key(), 0, cursor.keyLength());
    return !onLow || cursor.previous();
  }

  private boolean move(EntryCursor cursor) {
    return forward ? cursor.next() : cursor.previous();
  }

  private static int compare(EntryCursor a, EntryCursor b) {
    return Arrays.compareUnsigned(a.key(), 0, a.keyLength(), b.key(), 0, b.keyLength());
  }
}
