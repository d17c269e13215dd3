package io.github.coppicedb.cli.demo;

import io.github.coppicedb.cli.io.Numbers;
import io.github.coppicedb.cli.io.Output;
import io.github.coppicedb.cli.io.Streams;
import java.util.Locale;

/** Prints the demo for people: short aligned lines, a little colour where there is a terminal. */
final class DemoReport {
  private static final String BOLD = "\u001b[1m";
  private static final String GREEN = "\u001b[32m";
  private static final String RED = "\u001b[31m";
  private static final String PLAIN = "\u001b[0m";

  private final Output out;
  private final boolean colour;
  private boolean failed;

  DemoReport(Streams streams) {
    this.out = streams.out();
    this.colour = streams.outTerminal();
  }

  /** Begins the demo. */
  void title(String text) {
    print(text);
  }

  /** Begins a part. */
  void heading(String text) {
    emptyLine();
    print(paint(BOLD, text));
  }

  /** Prints a named fact. */
  void fact(String name, String text) {
    print("  %-12s %s".formatted(name, text));
  }

  /** Prints how fast something went. */
  void rate(String name, long count, long nanos) {
    fact(
        name,
        String.format(
            Locale.ROOT,
            "%,12d in %6.2f s %,12.0f/s",
            count,
            Numbers.seconds(nanos),
            Numbers.rate(count, nanos)));
  }

  /** Prints an empty line. */
  void emptyLine() {
    print("");
  }

  /** Prints a plain line. */
  void line(String text) {
    print("  " + text);
  }

  /** Prints what was verified and whether it held. */
  void verify(boolean held, String claim) {
    failed |= !held;
    print("  %s %s".formatted(held ? paint(GREEN, "ok    ") : paint(RED, "FAILED"), claim));
  }

  /** Returns whether something that was verified did not hold. */
  boolean failed() {
    return failed;
  }

  private void print(String text) {
    out.line(text);
    out.flush();
  }

  private String paint(String code, String text) {
    return colour ? code + text + PLAIN : text;
  }
}
