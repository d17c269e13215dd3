package io.github.coppicedb.cli.io;

import java.util.Locale;

/** Numbers as people like to read them, the same in every locale. */
public final class Numbers {
  private static final String[] UNITS = {"kB", "MB", "GB", "TB", "PB"};
  private static final double NANOS_PER_SECOND = 1e9;

  private Numbers() {}

  /** Returns a count with separators: 4,194,304. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Returns bytes with a decimal unit: 103.4 MB. */
  public static String bytes(long value) {
    if (value < 1000) {
      return value + " B";
    }
    double scaled = value;
    int unit = -1;
    while (scaled >= 999.95 && unit < UNITS.length - 1) {
      scaled /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", scaled, UNITS[unit]);
  }

  /** Returns nanoseconds as seconds. */
  public static double seconds(long nanos) {
    return nanos / NANOS_PER_SECOND;
  }

  /** Returns how many there were a second, or 0 when no time has passed. */
  public static double rate(long count, long nanos) {
    return nanos <= 0 ? 0 : count / seconds(nanos);
  }

  /** Returns bytes per entry with one decimal, or a dash when there is none. */
  public static String perEntry(long bytes, long entries) {
    return entries == 0 ? "-" : String.format(Locale.ROOT, "%.1f", (double) bytes / entries);
  }
}
