package io.github.coppicedb.tree;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.CommonBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One run on its way through a merge: a scanner, and how many bytes its key shares with the last
 * key that the merge took. That many are never fewer than what the scanner's entry leaves out, so
 * all that is compared or copied is stored. Confined to one thread.
 */
final class MergeStream {
  /** What {@link #shared} is at the end. */
  static final int ENDED = -1;

  private final TreeScanner scanner;
  private int shared;

  MergeStream(List<PackedTree> run) {
    this.scanner = new TreeScanner(run);
  }

  /** Returns the scanner, on the stream's entry. */
  TreeScanner scanner() {
    return scanner;
  }

  /** Returns how many bytes the key shares with the key taken last, or {@link #ENDED}. */
  int shared() {
    return shared;
  }

  /** Notes what the key shares with the key that is taken next. */
  void share(int bytes) {
    shared = bytes;
  }

  /** Moves to the first entry, when no key was taken yet. */
  void begin() {
    shared = scanner.next() ? 0 : ENDED;
  }

  /** Moves on from the entry that has the key taken last. */
  void advance(byte[] taken, int takenLength) {
    if (!scanner.next()) {
      shared = ENDED;
      return;
    }
    shared = scanner.isFirstOfTree() ? sharedWith(taken, takenLength) : scanner.lcp();
    boolean greater =
        shared == takenLength
            ? scanner.keyLength() > takenLength
            : shared < takenLength && (taken[shared] & 0xFF) < byteAt(shared);
    if (!greater) {
      throw scanner.damage("keys in ascending order", "a key that is not greater");
    }
  }

  private int sharedWith(byte[] taken, int takenLength) {
    if (takenLength == 0 || scanner.criticalByte() != (taken[0] & 0xFF)) {
      return 0;
    }
    int limit = Math.min(scanner.restLength(), takenLength - 1);
    return 1 + CommonBytes.count(scanner.segment(), scanner.restOffset(), taken, 1, limit);
  }

  /** Returns the key's byte at a place from what the entry stores on; -1 at the key's end. */
  private int byteAt(int place) {
    int stored = stored(place);
    if (stored == 0) {
      return scanner.criticalByte();
    }
    return stored <= scanner.restLength()
        ? Bytes.u8(scanner.segment(), scanner.restOffset() + stored - 1)
        : -1;
  }

  /** Returns how far a place is from the first byte that the entry stores. */
  private int stored(int place) {
    int stored = place - scanner.lcp();
    if (stored < 0) {
      throw damage();
    }
    return stored;
  }

  private CorruptionException damage() {
    return scanner.damage("lcp at most " + shared, "" + scanner.lcp());
  }

  /**
   * Compares the key with that of another stream from a byte on, before which they are the same.
   *
   * @return how many bytes they share, shifted left by two, and in the low bits 0 when this key is
   *     less, 1 when they are equal, 2 when it is greater
   */
  long compare(MergeStream other, int from) {
    int a = byteAt(from);
    int b = other.byteAt(from);
    if (a != b || a < 0) {
      return verdict(from, a, b);
    }
    int done = from + 1;
    int limit = Math.min(scanner.keyLength(), other.scanner.keyLength()) - done;
    int next =
        done
            + CommonBytes.count(
                scanner.segment(),
                scanner.restOffset() + stored(from),
                other.scanner.segment(),
                other.scanner.restOffset() + other.stored(from),
                limit);
    return verdict(next, byteAt(next), other.byteAt(next));
  }

  private static long verdict(int shared, int a, int b) {
    return (long) shared << 2 | (a == b ? 1 : a < b ? 0 : 2);
  }

  /** Writes the key's bytes from a place on into a buffer that holds the bytes before it. */
  void copyKey(byte[] key, int from) {
    int stored = stored(from);
    MemorySegment segment = scanner.segment();
    long rest = scanner.restOffset();
    if (stored > 0) {
      int length = scanner.restLength() - stored + 1;
      Bytes.copy(segment, rest + stored - 1, key, from, length);
    } else if (scanner.criticalByte() >= 0) {
      key[from] = (byte) scanner.criticalByte();
      int length = scanner.restLength();
      Bytes.copy(segment, rest, key, from + 1, length);
    }
  }
}
