package io.github.coppicedb.cli.demo;

import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.ExitStatus;
import io.github.coppicedb.cli.io.InputFiles;
import io.github.coppicedb.cli.io.Streams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the database at work, in a directory of its own. */
@Command(
    name = "demo",
    description = {
      "Show the database at work.",
      "Loads keys, reads them, keeps a snapshot still while writes go on, kills a process in"
          + " mid-commit and looks for all that it had acknowledged. Takes half a minute at most."
    })
public final class DemoCommand implements Callable<Integer> {
  private static final int DEFAULT_COUNT = 1_000_000;

  private final Streams streams;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "Take the keys from FILE, one a line; without it paths are made.")
  private @Nullable String file;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "How many keys, at most; a million without it.")
  private int count = DEFAULT_COUNT;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Make the database in DIR, which must be new, and leave it there.")
  private @Nullable String keep;

  /** Makes the command. */
  public DemoCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    if (count < 1) {
      throw CommandException.usage("--count is %d, it must be at least 1".formatted(count));
    }
    DemoKeys keys =
        file == null ? DemoKeys.generated(count) : DemoKeys.read(InputFiles.path(file), count);
    DemoReport report = new DemoReport(streams);
    if (keep == null) {
      try (TemporaryDirectory temporary = TemporaryDirectory.create()) {
        report.title("The database is in %s until the end".formatted(temporary.path()));
        new Demo(temporary.path(), keys, report, streams).run();
      }
    } else {
      Path kept = newDirectory(InputFiles.path(keep));
      report.title("The database is in %s and stays there".formatted(kept));
      new Demo(kept, keys, report, streams).run();
    }
    return report.failed() ? ExitStatus.NEGATIVE : ExitStatus.DONE;
  }

  private static Path newDirectory(Path kept) {
    try {
      return Files.createDirectory(kept);
    } catch (IOException e) {
      throw CommandException.failure(
          "cannot make the directory %s; name one that is not there yet".formatted(kept), e);
    }
  }
}
