package io.github.coppicedb.lsm;

import io.github.coppicedb.format.CommonBytes;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.MaskedRanges;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the keys that are present in a stack of layers: tombstones, what they hide and what
 * masked ranges hide are passed over. Same rules of position as {@link EntryCursor}.
 *
 * <p>Which layer has the nearest key is kept by a tree of losers (Knuth, volume 3, 5.4.1), and told
 * by what keys share (Ng and Kakehi, "Merging String Sequences by Longest Common Prefixes", 2008):
 * all keys that the layers stand on lie behind the key R taken last, and of two, that which shares
 * more bytes with R is nearer to it; of two that share equally many, the next byte decides. So each
 * layer has a <em>rank</em>, {@code shared << 9 | byte}, where the byte is turned around when going
 * forward, and the highest rank is the nearest key. Only equal ranks have bytes of keys compared,
 * behind those that are the same; the loser's rank is then what it shares with the winner. When the
 * nearest key is taken, what the others share with it is what they shared with R.
 *
 * <p>Invariant while it stands on an entry: R is the current key and {@code winner} the newest
 * layer that has it and stands on it; all other layers stand on keys behind R, or on R too.
 */
final class MergingCursor implements EntryCursor {
  private static final long ENDED = -1L;
  private static final int BYTE_BITS = 9;
  private static final int KEY_END = 256;

  private final EntryCursor[] cursors;
  private final @Nullable MaskedRanges[] masks;
  private final boolean anyMasks;

  // The keys that the layers stand on; no length is the end.
  private final byte[][] keys;
  private final int[] lengths;

  // Node n has the children 2n and 2n+1; the layers are the leaves, from their number on. A node
  // has the loser of its game: the rank in the high half, the layer in the low one.
  private final long[] losers;
  private long winner = ENDED;

  private boolean forward = true;
  private boolean placed;
  private byte[] key = new byte[64];
  private int keyLength;
  private int shared = UNKNOWN;

  MergingCursor(Layer[] layers) {
    int n = layers.length;
    cursors = new EntryCursor[n];
    masks = new MaskedRanges[n];
    keys = new byte[n][];
    lengths = new int[n];
    losers = new long[n];
    boolean any = false;
    for (int i = 0; i < n; i++) {
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
      note(i, cursors[i].first());
    }
    return begin();
  }

  @Override
  public boolean last() {
    forward = false;
    for (int i = 0; i < cursors.length; i++) {
      note(i, cursors[i].last());
    }
    return begin();
  }

  @Override
  public boolean seekCeiling(byte[] sought, int length) {
    placeAll(true, sought, length);
    return begin();
  }

  @Override
  public boolean seekFloor(byte[] sought, int length) {
    placeAll(false, sought, length);
    return begin();
  }

  private void placeAll(boolean up, byte[] sought, int length) {
    forward = up;
    for (int i = 0; i < cursors.length; i++) {
      EntryCursor cursor = cursors[i];
      note(i, up ? cursor.seekCeiling(sought, length) : cursor.seekFloor(sought, length));
    }
  }

  @Override
  public boolean next() {
    return placed ? go(true) : first();
  }

  @Override
  public boolean previous() {
    return placed ? go(false) : last();
  }

  private boolean go(boolean up) {
    if (forward != up) {
      placeAll(up, key, keyLength);
      build();
    }
    step();
    shared = Integer.MAX_VALUE;
    return settle();
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public int keyLength() {
    return keyLength;
  }

  @Override
  public int shared() {
    return shared;
  }

  @Override
  public boolean isTombstone() {
    return false;
  }

  @Override
  public void value(EntryValue out) {
    cursors[(int) winner].value(out);
  }

  /** Starts from wherever the layers were placed. */
  private boolean begin() {
    build();
    shared = UNKNOWN;
    return settle();
  }

  /** Goes on from wherever the layers stand to the next key that is present. */
  private boolean settle() {
    while (winner >= 0) {
      take();
      if (anyMasks && skipMasked()) {
        build();
        shared = UNKNOWN;
        continue;
      }
      if (!cursors[(int) winner].isTombstone()) {
        placed = true;
        return true;
      }
      step();
    }
    placed = false;
    return false;
  }

  /** Takes the winner's key, of which what it shares with the last one is there already. */
  private void take() {
    int layer = (int) winner;
    int length = lengths[layer];
    int from = (int) (winner >>> 32) >>> BYTE_BITS;
    if (length > key.length) {
      key = Arrays.copyOf(key, Math.max(length, 2 * key.length));
    }
    System.arraycopy(keys[layer], from, key, from, length - from);
    keyLength = length;
    shared = Math.min(shared, from);
  }

  /** Moves every layer that stands on the current key one on. */
  private void step() {
    long onKey = (long) keyLength << BYTE_BITS | (forward ? KEY_END : 0);
    do {
      advanceWinner();
    } while (winner >>> 32 == onKey);
  }

  private void advanceWinner() {
    int layer = (int) winner;
    EntryCursor cursor = cursors[layer];
    note(layer, forward ? cursor.next() : cursor.previous());
    long won = ENDED;
    int length = lengths[layer];
    if (length >= 0) {
      int common = cursor.shared();
      if (common == UNKNOWN) {
        common = CommonBytes.count(keys[layer], 0, key, 0, Math.min(length, keyLength));
      }
      won = ranked(layer, common);
    }
    for (int node = (layer + losers.length) >>> 1; node > 0; node >>>= 1) {
      long rival = losers[node];
      if ((won ^ rival) >>> 32 == 0) {
        won = playTie(node, won, rival);
      } else if (rival > won) {
        losers[node] = won;
        won = rival;
      }
    }
    winner = won;
  }

  /** Plays all games anew: nothing is known of what the keys share with a last one. */
  private void build() {
    int n = cursors.length;
    winner = n == 0 ? ENDED : build(1);
  }

  /** Plays all games below a node; returns who won. Depth: the logarithm of the layers. */
  private long build(int node) {
    int layer = node - cursors.length;
    if (layer >= 0) {
      return lengths[layer] < 0 ? ENDED : ranked(layer, 0);
    }
    long left = build(2 * node);
    long right = build(2 * node + 1);
    if ((left ^ right) >>> 32 == 0) {
      return playTie(node, left, right);
    }
    losers[node] = Math.min(left, right);
    return Math.max(left, right);
  }

  /** Plays between two of the same rank; the loser stays in the node. Returns who won. */
  private long playTie(int node, long a, long b) {
    if (a < 0) {
      return ENDED;
    }
    int layerA = (int) a;
    int layerB = (int) b;
    int from = (int) (a >>> 32) >>> BYTE_BITS;
    int limit = Math.min(lengths[layerA], lengths[layerB]) - from;
    int common = from + CommonBytes.count(keys[layerA], from, keys[layerB], from, limit);
    long rankedA = ranked(layerA, common);
    long rankedB = ranked(layerB, common);
    boolean same = (rankedA ^ rankedB) >>> 32 == 0;
    boolean isFirst = same ? layerA < layerB : rankedA > rankedB;
    losers[node] = isFirst ? rankedB : rankedA;
    return isFirst ? a : b;
  }

  /** Returns the rank of a layer's key, which shares so many bytes with another, and the layer. */
  private long ranked(int layer, int common) {
    int rank;
    if (common < lengths[layer]) {
      int next = keys[layer][common] & 0xFF;
      rank = forward ? 255 - next : next + 1;
    } else {
      rank = forward ? KEY_END : 0;
    }
    return (long) (common << BYTE_BITS | rank) << 32 | layer;
  }

  /** Notes where a layer's cursor stands now. */
  private void note(int layer, boolean live) {
    if (live) {
      keys[layer] = cursors[layer].key();
      lengths[layer] = cursors[layer].keyLength();
    } else {
      lengths[layer] = -1;
    }
  }

  /** Takes the older layers past a masked range that hides the winner's key, if one does. */
  private boolean skipMasked() {
    for (int newer = 0; newer < (int) winner; newer++) {
      MaskedRanges ranges = masks[newer];
      MaskedRanges.Range range = ranges == null ? null : ranges.covering(key, keyLength);
      if (range != null) {
        for (int i = newer + 1; i < cursors.length; i++) {
          if (lengths[i] >= 0 && range.contains(keys[i], lengths[i])) {
            note(i, leave(cursors[i], range));
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
}
