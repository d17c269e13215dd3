package io.github.coppicedb.tree;

import java.util.Arrays;
import java.util.List;

/**
 * The merge of sorted runs by what keys share: for each stream it is known how many bytes its key
 * shares with the key R that was taken last, and all keys are greater than R. The key that shares
 * most with R is the least one, as it leaves R latest. Only keys that share equally many bytes are
 * compared, from that byte on; of two, the greater then shares with the lesser what the comparison
 * found. When the least key is taken, what the others share with it is what they shared with R. So
 * no key is compared from its begin, and what a taken key shares with the one before is a result.
 * (The merge step of Ng and Kakehi, "Merging String Sequences by Longest Common Prefixes", 2008.)
 *
 * <p>Which stream is least is kept by a tree of losers (Knuth, volume 3, 5.4.1): a stream that has
 * moved meets those that lost on its way up, log k of them. All of these lost against the key that
 * was taken last, so what they share with it is what they know.
 *
 * <p>Of streams with the same key, the first stream wins: the newest run. Confined to one thread.
 */
final class KeyMerge {
  private final MergeStream[] streams;
  // Node n has the children 2n and 2n+1; the streams are the leaves, from their number on.
  private final int[] losers;
  private int winner;
  private byte[] key = new byte[128];
  private int keyLength;
  private int shared;
  private boolean begun;

  /** Starts before the first key of runs, the newest run first. */
  KeyMerge(List<List<PackedTree>> runs) {
    streams = runs.stream().map(MergeStream::new).toArray(MergeStream[]::new);
    losers = new int[streams.length];
  }

  /** Takes the next key; false at the end. */
  boolean next() {
    if (streams.length == 0) {
      return false;
    }
    if (begun) {
      advanceWinner();
      while (isOnTakenKey()) {
        advanceWinner();
      }
    } else {
      begin();
    }
    return take();
  }

  private boolean take() {
    MergeStream stream = streams[winner];
    shared = stream.shared();
    if (shared == MergeStream.ENDED) {
      return false;
    }
    int length = stream.scanner().keyLength();
    if (length > key.length) {
      key = Arrays.copyOf(key, Math.max(length, 2 * key.length));
    }
    stream.copyKey(key, shared);
    keyLength = length;
    return true;
  }

  private void begin() {
    begun = true;
    for (MergeStream stream : streams) {
      stream.begin();
    }
    winner = streams.length == 1 ? 0 : build(1);
  }

  /**
   * Plays all games below a node; returns who won. Depth: the logarithm of the number of streams.
   */
  private int build(int node) {
    if (node >= streams.length) {
      return node - streams.length;
    }
    int left = build(2 * node);
    int right = build(2 * node + 1);
    int won = play(left, right);
    losers[node] = won == left ? right : left;
    return won;
  }

  /** Moves on from the key taken last, which the winner is on, and finds the next winner. */
  private void advanceWinner() {
    streams[winner].advance(key, keyLength);
    int won = winner;
    for (int node = (winner + streams.length) >>> 1; node > 0; node >>>= 1) {
      int rival = losers[node];
      if (play(won, rival) == rival) {
        losers[node] = won;
        won = rival;
      }
    }
    winner = won;
  }

  private boolean isOnTakenKey() {
    MergeStream stream = streams[winner];
    return stream.shared() == keyLength && stream.scanner().keyLength() == keyLength;
  }

  /** Returns which of two streams has the lesser key; the other notes what it shares with it. */
  private int play(int a, int b) {
    int sharedA = streams[a].shared();
    int sharedB = streams[b].shared();
    if (sharedA != sharedB) {
      return sharedA > sharedB ? a : b;
    }
    return sharedA == MergeStream.ENDED ? a : playTie(a, b, sharedA);
  }

  private int playTie(int a, int b, int from) {
    long verdict = streams[a].compare(streams[b], from);
    int common = (int) (verdict >>> 2);
    int order = (int) (verdict & 3) - 1;
    boolean isFirst = order < 0 || (order == 0 && a < b);
    streams[isFirst ? b : a].share(common);
    return isFirst ? a : b;
  }

  /** Returns the number of the stream that the key was taken from, 0 for the newest run. */
  int stream() {
    return winner;
  }

  /** Returns the scanner that is on the entry of the key. */
  TreeScanner entry() {
    return streams[winner].scanner();
  }

  /** Returns a buffer whose first {@link #keyLength} bytes are the key, until the next call. */
  byte[] key() {
    return key;
  }

  /** Returns the key's length. */
  int keyLength() {
    return keyLength;
  }

  /** Returns how many bytes the key shares with the one taken before it; 0 for the first. */
  int shared() {
    return shared;
  }
}
