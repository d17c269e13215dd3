package io.github.coppicedb.tree;

import io.github.coppicedb.page.PageBuilder;
import java.util.Arrays;

/**
 * The pages of one level in order, each by the least key that belongs in it (its separator) and its
 * address. Of a separator only what it does not share with the one before is kept. Grows at its
 * end; confined to one thread.
 */
final class Separators {
  private int count;
  private int[] lcps = new int[16];
  private int[] lengths = new int[16];
  private long[] pages = new long[16];
  private byte[] bytes = new byte[256];
  private int used;

  /** Returns the number of pages. */
  int count() {
    return count;
  }

  /** Returns the address of the first page. */
  long firstPage() {
    return pages[0];
  }

  /**
   * Adds a page.
   *
   * @param lcp bytes that the separator shares with the one before
   */
  void add(int lcp, byte[] separator, int length, long page) {
    if (count == lcps.length) {
      lcps = Arrays.copyOf(lcps, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
      pages = Arrays.copyOf(pages, 2 * count);
    }
    int rest = length - lcp;
    if (used + rest > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(used + rest, 2 * bytes.length));
    }
    System.arraycopy(separator, lcp, bytes, used, rest);
    used += rest;
    lcps[count] = lcp;
    lengths[count] = length;
    pages[count] = page;
    count++;
  }

  /** Writes the inner pages of the next level up and returns their separators. */
  Separators buildLevel(TreeOutput output, int pageBytes, int level) {
    Separators parents = new Separators();
    PageBuilder builder = new PageBuilder(pageBytes, level);
    byte[] key = new byte[256];
    byte[] first = new byte[0];
    int firstLcp = 0;
    int leastSince = 0;
    int at = 0;
    for (int i = 0; i < count; i++) {
      int lcp = lcps[i];
      if (lengths[i] > key.length) {
        key = Arrays.copyOf(key, 2 * lengths[i]);
      }
      System.arraycopy(bytes, at, key, lcp, lengths[i] - lcp);
      at += lengths[i] - lcp;
      leastSince = Math.min(leastSince, lcp);
      if (!builder.accepts(lcp)) {
        parents.add(firstLcp, first, first.length, output.append(builder.finish()));
      }
      if (builder.count() == 0) {
        first = Arrays.copyOf(key, lengths[i]);
        firstLcp = leastSince;
        leastSince = Integer.MAX_VALUE;
      }
      builder.addChild(lcp, key, lengths[i], pages[i]);
    }
    parents.add(firstLcp, first, first.length, output.append(builder.finish()));
    return parents;
  }
}
