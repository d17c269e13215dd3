package io.github.coppicedb.tree;

/**
 * How a tree is built.
 *
 * @param pageBytes a page is closed once it has about this many bytes; 64 to 32,768
 * @param filterBitsPerKey size of the tree's filter; 0 = no filter, at most 32
 */
public record TreeSettings(int pageBytes, int filterBitsPerKey) {
  /** Pages of 4 KiB and about one false positive in a hundred. */
  public static final TreeSettings DEFAULT = new TreeSettings(4096, 10);

  /** Checks the settings. */
  public TreeSettings {
    if (pageBytes < 64 || pageBytes > 1 << 15) {
      throw new IllegalArgumentException("page bytes must be 64 to 32,768: " + pageBytes);
    }
    if (filterBitsPerKey < 0 || filterBitsPerKey > 32) {
      throw new IllegalArgumentException("filter bits must be 0 to 32: " + filterBitsPerKey);
    }
  }

  /** Returns the same settings for trees without filters. */
  public TreeSettings withoutFilter() {
    return new TreeSettings(pageBytes, 0);
  }
}
