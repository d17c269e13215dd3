package io.github.coppicedb.bench.run;

import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a child measured, told to its parent in lines of a name and a number. Stateless. */
public final class NamedValues {
  private NamedValues() {}

  /** Tells values; in the child. */
  public static void print(Map<String, Double> values, PrintStream out) {
    values.forEach(
        (name, value) -> out.println(name + " " + String.format(Locale.ROOT, "%.6f", value)));
  }

  /**
   * Reads what a child told.
   *
   * @throws IOException if it told something else
   */
  public static Map<String, Double> parse(List<String> lines) throws IOException {
    Map<String, Double> values = new LinkedHashMap<>();
    for (String line : lines) {
      int space = line.indexOf(' ');
      try {
        values.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
      } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
        throw new IOException("the child said: " + line, e);
      }
    }
    return values;
  }
}
