package io.github.coppicedb.cli.io;

import java.io.PrintStream;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * How far long work has come, with its rate and the time left, in the last line of the terminal;
 * nothing at all when the error stream is no terminal. Cleared at the end.
 */
public final class Progress implements AutoCloseable {
  private static final int INTERVAL_MILLIS = 200;
  private static final int UNKNOWN = -1;

  private final @Nullable ProgressBar bar;
  private final TerminalLine line;

  private Progress(@Nullable ProgressBar bar, TerminalLine line) {
    this.bar = bar;
    this.line = line;
  }

  /** Begins work of unknown size. */
  public static Progress start(Streams streams, String task, String unit) {
    return start(streams, task, unit, UNKNOWN);
  }

  /** Begins work of so many units. */
  public static Progress start(Streams streams, String task, String unit, long total) {
    TerminalLine line = new TerminalLine(streams.err());
    if (!streams.errTerminal()) {
      return new Progress(null, line);
    }
    DecimalFormat speed =
        new DecimalFormat("#,##0 " + unit, DecimalFormatSymbols.getInstance(Locale.ROOT));
    return new Progress(
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setUpdateIntervalMillis(INTERVAL_MILLIS)
            .setStyle(ProgressBarStyle.ASCII)
            .showSpeed(speed)
            .continuousUpdate()
            .setConsumer(line)
            .build(),
        line);
  }

  /** Says how much is done. */
  public void at(long done) {
    if (bar != null) {
      bar.stepTo(done);
    }
  }

  /** Says how much there will be, as far as is known now; -1 when it is not. */
  public void expect(long total) {
    if (bar != null) {
      bar.maxHint(total);
    }
  }

  /** Says what goes on at the moment. */
  public void say(String what) {
    if (bar != null) {
      bar.setExtraMessage(" " + what);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      // The library leaves the line there when the work was quicker than its first drawing.
      line.clear();
    }
  }

  /**
   * The line that is drawn over and over. The library's own one would ask the terminal for its
   * width by native code.
   */
  private record TerminalLine(PrintStream err) implements ProgressBarConsumer {
    private static final int WIDTH = 79;

    @Override
    public int getMaxRenderedLength() {
      return WIDTH;
    }

    @Override
    public void accept(String text) {
      err.print("\r" + text);
      err.flush();
    }

    @Override
    public void clear() {
      err.print("\r" + " ".repeat(WIDTH) + "\r");
      err.flush();
    }

    @Override
    public void close() {
      err.flush();
    }
  }
}
