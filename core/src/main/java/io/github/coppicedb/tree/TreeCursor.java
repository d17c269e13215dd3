package io.github.coppicedb.tree;

import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.page.PageSearch;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The cursor of a packed tree. The key is put together in a buffer from the pieces that the page
 * stores: forward, what an entry does not share with the one before is written over; backward and
 * after a search, the pieces are gathered from the entry back to the one that begins each.
 */
final class TreeCursor implements EntryCursor {
  private final PackedTree tree;
  private final TreePath path;

  private boolean valid;
  private int index;

  /** Where the rest of the next entry stands in the leaf; -1 when not known. */
  private long nextRest = -1;

  private byte[] key = new byte[64];
  private int keyLength;

  TreeCursor(PackedTree tree) {
    this.tree = tree;
    this.path = new TreePath(tree);
  }

  @Override
  public boolean first() {
    return move(Move.FIRST, key, 0);
  }

  @Override
  public boolean last() {
    return move(Move.LAST, key, 0);
  }

  @Override
  public boolean seekCeiling(byte[] sought, int length) {
    return move(Move.CEILING, sought, length);
  }

  @Override
  public boolean seekFloor(byte[] sought, int length) {
    return move(Move.FLOOR, sought, length);
  }

  @Override
  public boolean next() {
    return move(valid ? Move.NEXT : Move.FIRST, key, 0);
  }

  @Override
  public boolean previous() {
    return move(valid ? Move.PREVIOUS : Move.LAST, key, 0);
  }

  private enum Move {
    FIRST,
    LAST,
    CEILING,
    FLOOR,
    NEXT,
    PREVIOUS
  }

  private boolean move(Move move, byte[] sought, int length) {
    valid = false;
    if (path.isEmpty()) {
      return false;
    }
    try {
      valid =
          switch (move) {
            case NEXT -> forward();
            case PREVIOUS -> backward();
            case CEILING -> ceiling(sought, length);
            case FLOOR -> floor(sought, length);
            case FIRST -> {
              path.first();
              yield at(0, 0);
            }
            case LAST -> {
              path.last();
              yield at(path.count() - 1, 0);
            }
          };
      return valid;
    } catch (IndexOutOfBoundsException e) {
      throw tree.outside(e);
    }
  }

  private boolean ceiling(byte[] sought, int length) {
    long result = path.seek(sought, length);
    int floor = PageSearch.index(result);
    if (PageSearch.exact(result)) {
      return atSought(floor, sought, length, length);
    }
    if (floor + 1 < path.count()) {
      return at(floor + 1, 0);
    }
    return path.nextLeaf() && at(0, 0);
  }

  private boolean floor(byte[] sought, int length) {
    long result = path.seek(sought, length);
    int floor = PageSearch.index(result);
    if (floor >= 0) {
      return atSought(floor, sought, length, PageSearch.shared(result));
    }
    return path.previousLeaf() && at(path.count() - 1, 0);
  }

  private boolean forward() {
    if (index + 1 < path.count()) {
      if (nextRest < 0) {
        nextRest = restAt(path.segment(), path.leaf(), index + 1);
      }
      index++;
      nextRest = piece(index, nextRest, 0, Integer.MAX_VALUE);
      return true;
    }
    return path.nextLeaf() && at(0, 0);
  }

  private boolean backward() {
    MemorySegment s = path.segment();
    long page = path.leaf();
    if (index > 0) {
      return at(index - 1, Math.min(keyLength, lcp(s, page, index)));
    }
    int shared = Math.min(keyLength, PackedPage.firstLcp(s, page));
    return path.previousLeaf() && at(path.count() - 1, shared);
  }

  private boolean atSought(int i, byte[] sought, int length, int shared) {
    ensure(length);
    System.arraycopy(sought, 0, key, 0, shared);
    return at(i, shared);
  }

  /** Moves to entry i of the leaf, whose first {@code known} bytes are in the buffer. */
  private boolean at(int i, int known) {
    index = i;
    nextRest = -1;
    MemorySegment s = path.segment();
    long page = path.leaf();
    int n = path.count();
    int end = Integer.MAX_VALUE;
    for (int from = i; from > 0 && end > known; from--) {
      int lcp = lcp(s, page, from);
      if (lcp < end) {
        long next = piece(from, restAt(s, page, from), known, end);
        if (from == i) {
          nextRest = next;
        }
        end = lcp;
      }
    }
    int first = PackedPage.firstLength(s, page);
    if (i == 0) {
      keyLength = first;
      ensure(first);
      end = first;
    }
    if (end > known) {
      copy(PackedPage.firstKeyAt(s, page, n) + known, known, Math.min(end, first) - known);
    }
    return true;
  }

  private long restAt(MemorySegment s, long page, int i) {
    return PackedPage.restAt(s, page, path.count(), i, PackedPage.flags(s, page));
  }

  private int lcp(MemorySegment s, long page, int i) {
    int critical = PackedPage.critical(s, page, path.count(), i);
    return PackedPage.leastLcp(s, page) + PackedPage.lcpOver(critical);
  }

  /**
   * Writes the bytes that entry i &gt; 0 stores, those below {@code end}, into the key; the whole
   * of them also sets the key's length. Returns where the rest of the next entry stands.
   */
  private long piece(int i, long restAt, int known, int end) {
    MemorySegment s = path.segment();
    long page = path.leaf();
    int lcp = lcp(s, page, i);
    long at = restAt;
    int flags = PackedPage.flags(s, page);
    int code = PackedPage.lengthCode(s, page, path.count(), i, flags);
    int rest = PackedPage.restLength(s, code, at, flags);
    at += PackedPage.restHead(code, rest, flags);
    if (end == Integer.MAX_VALUE) {
      keyLength = lcp + 1 + rest;
      ensure(keyLength);
    }
    key[lcp] = (byte) PackedPage.criticalByte(PackedPage.critical(s, page, path.count(), i));
    int from = Math.max(lcp + 1, known);
    int to = Math.min(lcp + 1 + rest, end);
    if (from < to) {
      copy(at + from - lcp - 1, from, to - from);
    }
    return at + rest;
  }

  private void copy(long source, int to, int length) {
    Bytes.copy(path.segment(), source, key, to, length);
  }

  private void ensure(int length) {
    if (length > key.length) {
      key = Arrays.copyOf(key, Math.max(length, 2 * key.length));
    }
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
  public void value(EntryValue out) {
    if (!valid) {
      throw new IllegalStateException("the cursor is on no entry");
    }
    LeafValues.fill(path.segment(), path.leaf(), path.count(), index, out);
  }
}
