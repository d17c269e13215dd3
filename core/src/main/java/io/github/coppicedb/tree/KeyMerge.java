package io.github.coppicedb.tree;

import io.github.coppicedb.format.ByteArrays;
import io.github.coppicedb.format.CommonBytes;
import java.util.Arrays;
import java.util.List;

/**
 * The merge of sorted runs by what keys share: for each stream it is known how many bytes its key
 * shares with the key R that was taken last, and all keys are greater than R. The key that shares
 * most with R is the least one, as it leaves R latest; of keys that share equally many bytes the
 * one with the least next byte. When the least key is taken, what the others share with it is what
 * they shared with R. So no key is compared from its begin, and what a taken key shares with the
 * one before is a result. (The merge step of Ng and Kakehi, "Merging String Sequences by Longest
 * Common Prefixes", 2008; as one number, Conner's offset-value coding, 1977.)
 *
 * <p>Both are one number, the <em>code</em>: what is not shared, then the byte; the least code has
 * the least key. Only of two keys with the same code bytes are compared, from the next one on; the
 * greater then shares with the lesser what the comparison found.
 *
 * <p>Which stream is least is kept by a tree of losers (Knuth, volume 3, 5.4.1): a stream that has
 * moved meets those that lost on its way up, log k of them. All of these lost against the key that
 * was taken last, so their codes tell of that key. A game is a minimum and a maximum of two
 * numbers, which takes no branch that could be guessed wrong.
 *
 * <p>Of streams with the same key, the first stream wins: the newest run. Confined to one thread.
 */
final class KeyMerge {
  /** No key is longer, so that codes of what is shared lie between the next two. */
  private static final int LONGEST = (1 << 23) - 3;

  /** The code of a key that ends where the one that it is told of ends: it is the same. */
  private static final int EQUAL = -1;

  /** The code of a stream that ended. */
  private static final int ENDED = Integer.MAX_VALUE;

  private final TreeScanner[] streams;

  // Node n has the children 2n and 2n+1; the streams are the leaves, from their number on. Each
  // node has who lost there, and the overall winner stands apart: the code above, the stream below.
  private final long[] losers;
  private long winner;

  private byte[] key = new byte[128];
  private int keyLength;
  private int shared;
  private boolean begun;

  /** Starts before the first key of runs, the newest run first. */
  KeyMerge(List<List<PackedTree>> runs) {
    streams = runs.stream().map(TreeScanner::new).toArray(TreeScanner[]::new);
    losers = new long[streams.length];
  }

  private static long player(int code, int stream) {
    return (long) code << 32 | stream;
  }

  private static int code(long player) {
    return (int) (player >>> 32);
  }

  /** Returns a code; {@link #EQUAL} if the next byte is -1, as there is none. */
  private static int code(int shared, int nextByte) {
    return (LONGEST - shared + 1) << 8 | nextByte;
  }

  private static int sharedOf(int code) {
    return LONGEST + 1 - (code >>> 8);
  }

  /** Takes the next key; false at the end. */
  boolean next() {
    if (streams.length == 0) {
      return false;
    }
    if (begun) {
      do {
        advance();
      } while (code(winner) == EQUAL);
    } else {
      begun = true;
      winner = streams.length == 1 ? player(firstCode(streams[0]), 0) : build(1);
    }
    int code = code(winner);
    if (code == ENDED) {
      return false;
    }
    take(code);
    return true;
  }

  private void take(int code) {
    TreeScanner stream = streams[(int) winner];
    int length = stream.keyLength();
    if (length + ByteArrays.SLACK > key.length) {
      growKey(stream, length);
    }
    shared = 0;
    if (length > 0) {
      shared = sharedOf(code);
      int from = shared + 1;
      key[shared] = (byte) code;
      ByteArrays.copy(stream.bytes(), stream.keyAt() + from, key, from, length - from);
    }
    keyLength = length;
  }

  private void growKey(TreeScanner stream, int length) {
    checkLength(stream, length);
    int wished = Math.min(2 * key.length, LONGEST + ByteArrays.SLACK);
    key = Arrays.copyOf(key, Math.max(length + ByteArrays.SLACK, wished));
  }

  private static void checkLength(TreeScanner stream, int length) {
    if (length > LONGEST) {
      throw stream.damage("a key of at most " + LONGEST + " bytes", length + " bytes");
    }
  }

  /**
   * Plays all games below a node; returns who won. Depth: the logarithm of the number of streams.
   */
  private long build(int node) {
    if (node >= streams.length) {
      int stream = node - streams.length;
      return player(firstCode(streams[stream]), stream);
    }
    return play(node, build(2 * node), build(2 * node + 1));
  }

  private static int firstCode(TreeScanner stream) {
    if (!stream.next()) {
      return ENDED;
    }
    return code(0, stream.criticalByte());
  }

  /** Moves on from the key taken last, or one equal to it, and finds the next winner. */
  private void advance() {
    int moved = (int) winner;
    TreeScanner stream = streams[moved];
    long best = player(stream.next() ? codeAfterKey(stream) : ENDED, moved);
    for (int node = (moved + streams.length) >>> 1; node > 0; node >>>= 1) {
      best = play(node, best, losers[node]);
    }
    winner = best;
  }

  /** Returns the code of a stream's key, of which the stream's last key is the one taken last. */
  private int codeAfterKey(TreeScanner stream) {
    int lcp = stream.lcp();
    int next = stream.criticalByte();
    if (stream.isFirstOfTree()) {
      int limit = Math.min(stream.keyLength(), keyLength);
      lcp = CommonBytes.count(stream.bytes(), stream.keyAt(), key, 0, limit);
      next = lcp < stream.keyLength() ? byteAt(stream, lcp) : -1;
    }
    boolean greater = lcp < keyLength ? (key[lcp] & 0xFF) < next : lcp == keyLength && next >= 0;
    if (!greater) {
      throw stream.damage("keys in ascending order", "a key that is not greater");
    }
    return code(lcp, next);
  }

  private static int byteAt(TreeScanner stream, int place) {
    return stream.bytes()[stream.keyAt() + place] & 0xFF;
  }

  /** Plays a game; returns who won, and leaves who lost in the node. */
  private long play(int node, long a, long b) {
    if (code(a) == code(b)) {
      return playTie(node, a, b);
    }
    losers[node] = Math.max(a, b);
    return Math.min(a, b);
  }

  private long playTie(int node, long a, long b) {
    int code = code(a);
    if (code == EQUAL || code == ENDED) {
      losers[node] = Math.max(a, b);
      return Math.min(a, b);
    }
    TreeScanner s = streams[(int) a];
    TreeScanner t = streams[(int) b];
    int from = sharedOf(code) + 1;
    int limit = Math.min(s.keyLength(), t.keyLength());
    int common =
        from
            + CommonBytes.count(
                s.bytes(), s.keyAt() + from, t.bytes(), t.keyAt() + from, limit - from);
    checkLength(s, common);
    int next = common < s.keyLength() ? byteAt(s, common) : -1;
    int otherNext = common < t.keyLength() ? byteAt(t, common) : -1;
    // What each would be as the loser: so the greater one is.
    long lostA = player(code(common, next), (int) a);
    long lostB = player(code(common, otherNext), (int) b);
    losers[node] = Math.max(lostA, lostB);
    return player(code, (int) Math.min(lostA, lostB));
  }

  /**
   * Takes note that the caller has taken all of the leaf that the only stream is in.
   *
   * @param last holds the leaf's last key
   */
  void passLeaf(byte[] last, int length) {
    TreeScanner stream = streams[0];
    if (length + ByteArrays.SLACK > key.length) {
      growKey(stream, length);
    }
    System.arraycopy(last, 0, key, 0, length);
    keyLength = length;
    stream.endLeaf();
  }

  /** Returns the number of the stream that the key was taken from, 0 for the newest run. */
  int stream() {
    return (int) winner;
  }

  /** Returns the scanner that is on the entry of the key. */
  TreeScanner entry() {
    return streams[(int) winner];
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
