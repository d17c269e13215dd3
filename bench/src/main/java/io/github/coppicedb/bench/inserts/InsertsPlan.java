package io.github.coppicedb.bench.inserts;

import java.util.List;

/**
 * What a run does: ordered rows with the keys 1 to {@code rows}, then random inserts with keys of 1
 * to {@code range}, then selects.
 *
 * @param rows ordered rows
 * @param random random inserts
 * @param range the greatest key of random inserts and selects; what lies above {@code rows} and was
 *     not inserted is a miss
 * @param seconds of selects, half of them hits
 * @param sameValues whether all columns are zero, but the first of random inserts, as in the
 *     document; else random bytes
 * @param seed of keys and values
 */
public record InsertsPlan(
    long rows, long random, long range, int seconds, boolean sameValues, long seed) {
  /** How many fields a plan has. */
  static final int FIELDS = 6;

  /** Checks the numbers. */
  public InsertsPlan {
    atLeastOne("--rows", rows);
    atLeastOne("--random", random);
    atLeastOne("--range", range);
    atLeastOne("--seconds", seconds);
  }

  private static void atLeastOne(String option, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(
          "%s is %d, it must be at least 1".formatted(option, value));
    }
  }

  List<String> arguments() {
    return List.of(
        String.valueOf(rows),
        String.valueOf(random),
        String.valueOf(range),
        String.valueOf(seconds),
        String.valueOf(sameValues),
        String.valueOf(seed));
  }

  static InsertsPlan of(List<String> arguments) {
    return new InsertsPlan(
        Long.parseLong(arguments.get(0)),
        Long.parseLong(arguments.get(1)),
        Long.parseLong(arguments.get(2)),
        Integer.parseInt(arguments.get(3)),
        Boolean.parseBoolean(arguments.get(4)),
        Long.parseLong(arguments.get(5)));
  }

  /** Returns a smaller one of the same shape, to warm up with. */
  InsertsPlan warmUp(long most) {
    long less = Math.max(1, rows / most);
    return new InsertsPlan(
        Math.max(1, rows / less),
        Math.max(1, random / less),
        Math.max(1, range / less),
        1,
        sameValues,
        seed + 1);
  }
}
