package io.github.coppicedb.cli.demo;

import io.github.coppicedb.cli.io.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A directory that goes away at the end, also when the user interrupts the process. */
final class TemporaryDirectory implements AutoCloseable {
  private static final int MOST_SECONDS_TO_DIE = 2;

  private final Path path;
  private final Thread hook;

  private TemporaryDirectory(Path path) {
    this.path = path;
    this.hook = new Thread(this::abandon, "remove " + path);
  }

  static TemporaryDirectory create() {
    try {
      TemporaryDirectory made = new TemporaryDirectory(Files.createTempDirectory("coppice-demo-"));
      Runtime.getRuntime().addShutdownHook(made.hook);
      return made;
    } catch (IOException e) {
      throw CommandException.failure(
          "cannot make a temporary directory: %s; use --keep".formatted(e.getMessage()), e);
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    delete(path);
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is about to end; the hook finds nothing left to do.
      return;
    }
  }

  /** In an interrupted process: whoever still writes into the directory must go first. */
  private void abandon() {
    ProcessHandle.current().children().forEach(TemporaryDirectory::end);
    delete(path);
  }

  private static void end(ProcessHandle child) {
    child.destroyForcibly();
    child.onExit().completeOnTimeout(child, MOST_SECONDS_TO_DIE, TimeUnit.SECONDS).join();
  }

  private static void delete(Path root) {
    try (Stream<Path> walk = Files.walk(root)) {
      List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // A file that stays in the directory for temporary files is no reason to fail.
      return;
    }
  }
}
