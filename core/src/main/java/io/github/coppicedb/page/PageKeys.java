package io.github.coppicedb.page;

import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.PackedPage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Walks the keys of a page whose fields were checked, whole, from the first to the last. Confined
 * to one thread.
 */
public final class PageKeys {
  private final MemorySegment s;
  private final long page;
  private final int n;

  private int index = -1;
  private long restAt;
  private int lcp;
  private byte[] key = new byte[64];
  private int keyLength;

  /** Starts before the first key. */
  public PageKeys(MemorySegment s, long page) {
    this.s = s;
    this.page = page;
    this.n = PackedPage.count(s, page);
  }

  /** Moves to the next key; false at the end. */
  public boolean next() {
    if (index + 1 >= n) {
      return false;
    }
    index++;
    if (index == 0) {
      lcp = PackedPage.firstLcp(s, page);
      set(0, PackedPage.firstKeyAt(s, page, n), PackedPage.firstLength(s, page));
      return true;
    }
    int critical = PackedPage.critical(s, page, n, index);
    lcp = PackedPage.leastLcp(s, page) + PackedPage.lcpOver(critical);
    int flags = PackedPage.flags(s, page);
    int code = PackedPage.lengthCode(s, page, n, index, flags);
    int rest = PackedPage.restLength(s, code, restAt, flags);
    restAt += PackedPage.restHead(code, rest, flags);
    set(lcp + 1, restAt, rest);
    key[lcp] = (byte) PackedPage.criticalByte(critical);
    return true;
  }

  private void set(int from, long at, int length) {
    if (from + length > key.length) {
      key = Arrays.copyOf(key, Math.max(from + length, 2 * key.length));
    }
    Bytes.copy(s, at, key, from, length);
    keyLength = from + length;
    restAt = at + length;
  }

  /** Returns the number of the entry. */
  public int index() {
    return index;
  }

  /** Returns what the page says that the key shares with the one before. */
  public int lcp() {
    return lcp;
  }

  /** Returns a buffer whose first {@link #keyLength} bytes are the key, until the next move. */
  public byte[] key() {
    return key;
  }

  /** Returns the key's length. */
  public int keyLength() {
    return keyLength;
  }
}
