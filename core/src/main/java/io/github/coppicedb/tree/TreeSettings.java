package io.github.coppicedb.tree;

/**
 * How a tree is built.
 *
 * @param pageBytes a page is closed once it has about this many bytes; 64 to 32,768
 * @param filterBitsPerKey size of the tree's filter; 0 = no filter, at most 32
 */
public record TreeSettings(int pageBytes, int filterBitsPerKey) {
  /** Pages of 4 KiB; between one and two false positives in a hundred. */
  public static final TreeSettings DEFAULT = new TreeSettings(4096, 9);

  /** Checks the settings. */
  public TreeSettings {
    if (pageBytes < 64 || pageBytes > 1 << 15) {
      throw new IllegalArgumentException("page bytes must be 64 to 32,768: " + pageBytes);
    }
    if (filterBitsPerKey < 0 || filterBitsPerKey > 32) {
      throw new IllegalArgumentException("filter bits must be 0 to 32: " + filterBitsPerKey);
    }
  }

  /**
   * Returns the settings for trees that have nothing older below them: a bit a key less for the
   * filter. These trees hold nearly all entries, and a false positive there is at most one more
   * search for a key, whatever there is above: Dayan, Athanassoulis and Idreos, "Monkey: Optimal
   * Navigable Key-Value Store", SIGMOD 2017.
   */
  public TreeSettings ofOldest() {
    return new TreeSettings(
        pageBytes, Math.max(Math.min(1, filterBitsPerKey), filterBitsPerKey - 1));
  }

  /** Returns the same settings for trees without filters. */
  public TreeSettings withoutFilter() {
    return new TreeSettings(pageBytes, 0);
  }
}
