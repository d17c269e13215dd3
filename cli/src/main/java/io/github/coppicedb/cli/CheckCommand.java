package io.github.coppicedb.cli;

import io.github.coppicedb.CheckReport;
import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.Database;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.ExitStatus;
import io.github.coppicedb.cli.io.Json;
import io.github.coppicedb.cli.io.Numbers;
import io.github.coppicedb.cli.io.Progress;
import io.github.coppicedb.cli.io.Streams;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Reads every byte of the database and says whether all is well. */
@Command(name = "check", description = "Read and verify every byte.")
final class CheckCommand implements Callable<Integer> {
  private final Streams streams;

  @Mixin private final DatabaseArgument database = new DatabaseArgument();
  @Mixin private final JsonOption json = new JsonOption();

  CheckCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    try {
      print(check());
      return ExitStatus.DONE;
    } catch (CorruptionException e) {
      if (!json.isJson()) {
        throw CommandException.negative(e.getMessage() + "; restore the database from a copy");
      }
      streams
          .out()
          .line(
              new Json()
                  .put("ok", false)
                  .put("file", e.file())
                  .put("offset", e.offset())
                  .put("message", String.valueOf(e.getMessage()))
                  .toString());
      return ExitStatus.NEGATIVE;
    }
  }

  private CheckReport check() {
    try (Database open = database.open();
        Progress progress = Progress.start(streams, "check", "databases")) {
      progress.say("all pages");
      return open.check();
    }
  }

  private void print(CheckReport report) {
    if (json.isJson()) {
      streams
          .out()
          .line(
              new Json()
                  .put("ok", true)
                  .put("trees", report.trees())
                  .put("pages", report.pages())
                  .put("entries", report.entries())
                  .put("largeValues", report.values())
                  .toString());
    } else {
      streams
          .out()
          .line(
              "ok: %s trees, %s pages, %s entries, %s large values"
                  .formatted(
                      Numbers.count(report.trees()),
                      Numbers.count(report.pages()),
                      Numbers.count(report.entries()),
                      Numbers.count(report.values())));
    }
  }
}
