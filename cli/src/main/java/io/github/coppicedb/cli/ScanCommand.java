package io.github.coppicedb.cli;

import io.github.coppicedb.Cursor;
import io.github.coppicedb.Database;
import io.github.coppicedb.KeyRange;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.ExitStatus;
import io.github.coppicedb.cli.io.Json;
import io.github.coppicedb.cli.io.Output;
import io.github.coppicedb.cli.io.Progress;
import io.github.coppicedb.cli.io.Streams;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints or counts the entries of a range of keys. */
@Command(
    name = "scan",
    description = {
      "Print or count entries in key order.",
      "Prints bytes: the key, a tab, the value, a newline. What of --prefix, --from and --to is"
          + " given must all hold; --reverse changes only the order."
    })
final class ScanCommand implements Callable<Integer> {
  private static final int PROGRESS_MASK = 0xFFFF;

  private final Streams streams;

  @Mixin private final TableArgument table = new TableArgument();

  @Option(names = "--prefix", paramLabel = "P", description = "Only keys that begin with P.")
  private @Nullable String prefix;

  @Option(names = "--from", paramLabel = "A", description = "Only keys from A on.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "B", description = "Only keys below B.")
  private @Nullable String to;

  @Option(names = "--reverse", description = "From the greatest key to the least.")
  private boolean reverse;

  @Option(names = "--limit", paramLabel = "N", description = "At most N entries.")
  private long limit = Long.MAX_VALUE;

  @Option(names = "--keys-only", description = "Print no values.")
  private boolean keysOnly;

  @Option(names = "--count", description = "Print only how many entries there are.")
  private boolean count;

  @Mixin private final BytesOption format = new BytesOption();
  @Mixin private final JsonOption json = new JsonOption();

  ScanCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    if (limit < 0) {
      throw CommandException.usage("--limit is %d, it cannot be negative".formatted(limit));
    }
    KeyRange range = range();
    try (Database open = table.database().open();
        Snapshot snapshot = open.snapshot();
        Cursor cursor = snapshot.cursor(table.find(open), range)) {
      long entries = count ? count(cursor) : print(cursor);
      if (count) {
        streams
            .out()
            .line(json.isJson() ? new Json().put("count", entries).toString() : "" + entries);
      }
    }
    return ExitStatus.DONE;
  }

  private KeyRange range() {
    KeyRange range = KeyRange.all();
    if (prefix != null) {
      range = range.intersect(KeyRange.prefix(format.bytes("--prefix", prefix)));
    }
    if (from != null) {
      range = range.intersect(KeyRange.atLeast(format.bytes("--from", from)));
    }
    if (to != null) {
      range = range.lessThan(format.bytes("--to", to));
    }
    return reverse ? range.reversed() : range;
  }

  private long count(Cursor cursor) {
    long entries = 0;
    try (Progress progress = Progress.start(streams, "count", "keys")) {
      while (entries < limit && cursor.next()) {
        entries++;
        if ((entries & PROGRESS_MASK) == 0) {
          progress.at(entries);
        }
      }
    }
    return entries;
  }

  private long print(Cursor cursor) {
    long entries = 0;
    while (entries < limit && cursor.next()) {
      entries++;
      if (json.isJson()) {
        printJson(cursor);
      } else {
        printBytes(cursor);
      }
    }
    return entries;
  }

  private void printBytes(Cursor cursor) {
    Output out = streams.out();
    format.print(out, cursor.keySegment());
    if (!keysOnly) {
      out.write('\t');
      format.print(out, cursor.valueSegment());
    }
    out.write('\n');
  }

  private void printJson(Cursor cursor) {
    Json entry = new Json().put("key", cursor.key(), format.isHex());
    if (!keysOnly) {
      entry.put("value", cursor.value(), format.isHex());
    }
    streams.out().line(entry.toString());
  }
}
