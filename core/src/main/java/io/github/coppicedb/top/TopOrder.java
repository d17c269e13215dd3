package io.github.coppicedb.top;

import java.util.Arrays;

/**
 * The order of an arena's records up to a place: sorted runs of record offsets, the longest first.
 * Each run is sorted by key, then by offset; a later run holds later records only. All versions of
 * a key are in, so that one order serves every mark: whoever reads it skips what is behind its
 * mark.
 *
 * <p>Immutable. What has come since is sorted on its own and joined with the last runs while these
 * are less than {@value #RATIO} times as long, so there are few runs and every record is moved a
 * logarithmic number of times.
 */
final class TopOrder {
  /** No record. */
  static final TopOrder EMPTY = new TopOrder(0, new int[0][]);

  private static final int RATIO = 8;

  private final int covered;
  private final int[][] runs;

  private TopOrder(int covered, int[][] runs) {
    this.covered = covered;
    this.runs = runs;
  }

  /** Returns an order of records that are sorted already, all of those before a mark. */
  static TopOrder of(SortedRecords sorted, int mark) {
    int[] run = sorted.records();
    return new TopOrder(mark, run.length == 0 ? new int[0][] : new int[][] {run});
  }

  /** Returns the end of the records that are in. */
  int covered() {
    return covered;
  }

  /** Returns the runs, not to be changed. */
  int[][] runs() {
    return runs;
  }

  /**
   * Returns the order of the records before a mark.
   *
   * @param arena holds these at least
   * @param expected about how many there are
   */
  TopOrder extendedTo(byte[] arena, int mark, int expected) {
    int[] run = SortedRecords.of(arena, covered, mark, expected).records();
    if (run.length == 0) {
      return new TopOrder(mark, runs);
    }
    int kept = runs.length;
    while (kept > 0 && runs[kept - 1].length < (long) RATIO * run.length) {
      run = merge(arena, runs[--kept], run);
    }
    int[][] next = Arrays.copyOf(runs, kept + 1);
    next[kept] = run;
    return new TopOrder(mark, next);
  }

  /** Returns the records of this order and all those before a mark; otherwise like the above. */
  SortedRecords inOneRun(byte[] arena, int mark, int expected) {
    if (runs.length == 0) {
      // Before what is covered there are masks only; the mark may stand among them.
      return SortedRecords.of(arena, Math.min(covered, mark), mark, expected);
    }
    int[][] pieces = covered < mark ? extendedTo(arena, mark, expected).runs : runs;
    int[] run = pieces[pieces.length - 1];
    for (int i = pieces.length - 2; i >= 0; i--) {
      run = merge(arena, pieces[i], run);
    }
    return SortedRecords.of(arena, run);
  }

  /** Returns the order without the records behind a mark. */
  TopOrder truncatedTo(int mark) {
    if (mark >= covered) {
      return this;
    }
    int[][] shorter = new int[runs.length][];
    int count = 0;
    for (int[] run : runs) {
      int[] rest = Arrays.stream(run).filter(record -> record < mark).toArray();
      if (rest.length > 0) {
        shorter[count++] = rest;
      }
    }
    return new TopOrder(mark, Arrays.copyOf(shorter, count));
  }

  /** Merges two runs; all records of the second are later. Gallops through the first. */
  private static int[] merge(byte[] arena, int[] older, int[] newer) {
    int[] merged = new int[older.length + newer.length];
    int from = 0;
    int to = 0;
    for (int record : newer) {
      int at = upperBound(arena, older, from, record);
      System.arraycopy(older, from, merged, to, at - from);
      to += at - from;
      from = at;
      merged[to++] = record;
    }
    System.arraycopy(older, from, merged, to, older.length - from);
    return merged;
  }

  /** Returns the first place, not before {@code from}, of a key greater than that of a record. */
  private static int upperBound(byte[] arena, int[] run, int from, int record) {
    int low = from;
    int step = 1;
    while (low + step <= run.length
        && ArenaRecord.compareKeys(arena, run[low + step - 1], record) <= 0) {
      low += step;
      step *= 2;
    }
    int high = Math.min(run.length, low + step - 1);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ArenaRecord.compareKeys(arena, run[middle], record) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the newest record of a key before a mark, or {@link ArenaRecord#NONE}. */
  int newest(byte[] arena, byte[] key, int keyLength, int mark) {
    for (int i = runs.length - 1; i >= 0; i--) {
      int[] run = runs[i];
      int low = lowerBound(arena, run, key, keyLength);
      int high = upperBound(arena, run, key, keyLength);
      // The records of one key are ascending offsets.
      int at = Arrays.binarySearch(run, low, high, mark);
      int before = (at < 0 ? -at - 1 : at) - 1;
      if (before >= low) {
        return run[before];
      }
    }
    return ArenaRecord.NONE;
  }

  /** Returns the first place in a run of a key that is not less than the one given. */
  static int lowerBound(byte[] arena, int[] run, byte[] key, int keyLength) {
    return bound(arena, run, key, keyLength, -1);
  }

  /** Returns the first place in a run of a key that is greater than the one given. */
  static int upperBound(byte[] arena, int[] run, byte[] key, int keyLength) {
    return bound(arena, run, key, keyLength, 0);
  }

  private static int bound(byte[] arena, int[] run, byte[] key, int keyLength, int before) {
    int low = 0;
    int high = run.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Integer.signum(ArenaRecord.compareKey(arena, run[middle], key, keyLength)) <= before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
