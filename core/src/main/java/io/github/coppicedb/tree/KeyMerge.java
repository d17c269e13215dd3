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
 * <p>Of streams with the same key, the first stream wins: the newest run. Confined to one thread.
 */
final class KeyMerge {
  private final MergeStream[] streams;
  private int winner;
  private byte[] key = new byte[128];
  private int keyLength;
  private int shared;
  private boolean begun;

  /** Starts before the first key of runs, the newest run first. */
  KeyMerge(List<List<PackedTree>> runs) {
    streams = runs.stream().map(MergeStream::new).toArray(MergeStream[]::new);
  }

  /** Takes the next key; false at the end. */
  boolean next() {
    if (begun) {
      advanceAllOnKey();
    } else {
      begun = true;
      for (MergeStream stream : streams) {
        stream.begin();
      }
    }
    winner = select();
    if (winner < 0) {
      return false;
    }
    MergeStream stream = streams[winner];
    int length = stream.scanner().keyLength();
    if (length > key.length) {
      key = Arrays.copyOf(key, Math.max(length, 2 * key.length));
    }
    stream.copyKey(key, shared);
    keyLength = length;
    stream.share(length);
    return true;
  }

  private void advanceAllOnKey() {
    for (MergeStream stream : streams) {
      if (stream.shared() == keyLength && stream.scanner().keyLength() == keyLength) {
        stream.advance(key, keyLength);
      }
    }
  }

  /** Finds the stream with the least key, and sets what that shares with the last one. */
  private int select() {
    int most = MergeStream.ENDED;
    int best = -1;
    boolean tie = false;
    for (int i = 0; i < streams.length; i++) {
      int bytes = streams[i].shared();
      if (bytes > most) {
        most = bytes;
        best = i;
        tie = false;
      } else if (bytes == most && bytes >= 0) {
        tie = true;
      }
    }
    shared = most;
    return tie ? breakTies(best, most) : best;
  }

  /** Compares the streams that share {@code most} bytes; {@code first} is the first of them. */
  private int breakTies(int first, int most) {
    int best = first;
    for (int i = first + 1; i < streams.length; i++) {
      if (streams[i].shared() == most) {
        long verdict = streams[best].compare(streams[i], most);
        int common = (int) (verdict >>> 2);
        if ((verdict & 3) <= 1) {
          streams[i].share(common);
        } else {
          // The keys that lost before are greater than the best so far: they share no more with
          // its better than it does itself.
          for (int j = first; j < i; j++) {
            streams[j].share(Math.min(streams[j].shared(), common));
          }
          streams[best].share(common);
          best = i;
        }
      }
    }
    return best;
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
