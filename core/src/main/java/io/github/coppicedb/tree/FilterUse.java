package io.github.coppicedb.tree;

/**
 * Whether it is worth while to ask the filter of a tree before the tree is searched. To ask takes a
 * fifth of the time of a get, as the filter's line comes from memory, and is in vain for a key that
 * is present. So a tree whose searches find what they seek, nearly always, as those of the oldest
 * level may do, passes its filter by; until a key is absent, from then on it asks again.
 *
 * <p>Only one search of 64 counts: so threads that search side by side seldom write, and when all
 * keys are present, or all absent, never. They race without harm: a count may get lost.
 */
final class FilterUse {
  private static final int SAMPLES = 64;

  /** So many keys one after the other were present: then more than nine of ten are. */
  private static final int ENOUGH = 16;

  private int present;

  /** Returns whether the filter is to be asked. */
  boolean isWorthWhile() {
    return present < ENOUGH;
  }

  /** Takes note of what a search found. */
  void note(long hash, boolean found) {
    // The filter takes its bits from the other end of the hash.
    if ((hash & (SAMPLES - 1)) != 0) {
      return;
    }
    if (!found) {
      if (present > 0) {
        present = 0;
      }
    } else if (present < ENOUGH) {
      present++;
    }
  }
}
