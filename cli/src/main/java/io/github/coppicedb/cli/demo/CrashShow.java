package io.github.coppicedb.cli.demo;

import io.github.coppicedb.Database;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.Numbers;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Kills a process that commits without pause, and looks for all that it had acknowledged. */
final class CrashShow {
  private static final long RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
  private static final int HANGS_SECONDS = 60;

  // By name: the entry knows the commands, not the other way round.
  private static final String MAIN_CLASS = "io.github.coppicedb.cli.Main";

  private final Path directory;
  private final DemoReport report;

  CrashShow(Path directory, DemoReport report) {
    this.directory = directory;
    this.report = report;
  }

  void run() {
    report.heading("A process killed in mid-commit");
    long acknowledged = commitAndKill();
    report.fact("acknowledged", "%s commits, then kill -9".formatted(count(acknowledged)));
    long start = System.nanoTime();
    try (Database database = Database.open(directory)) {
      long nanos = System.nanoTime() - start;
      report.fact(
          "reopened", String.format(Locale.ROOT, "in %.0f ms", Numbers.seconds(nanos) * 1000));
      verify(database, acknowledged);
    }
  }

  private void verify(Database database, long acknowledged) {
    try (Snapshot snapshot = database.snapshot()) {
      Long found = Ledger.wholeBatches(snapshot, Ledger.table(database));
      if (found == null) {
        report.verify(false, "there are commits of which only a part is there");
        return;
      }
      // The kill may fall between a commit and its acknowledgement.
      report.verify(
          found == acknowledged || found == acknowledged + 1,
          "%s commits are there, each whole: nothing acknowledged is lost".formatted(count(found)));
    }
  }

  /** Runs the other process for a while and returns the last number it acknowledged. */
  private long commitAndKill() {
    Process writer = start();
    Executor later = CompletableFuture.delayedExecutor(HANGS_SECONDS, TimeUnit.SECONDS);
    later.execute(writer::destroyForcibly);
    try (BufferedReader lines = writer.inputReader(StandardCharsets.UTF_8)) {
      long acknowledged = readAndKill(lines, writer);
      writer.waitFor();
      return acknowledged;
    } catch (IOException | InterruptedException e) {
      throw CommandException.failure("the process to be killed got lost: " + e.getMessage(), e);
    } finally {
      writer.destroyForcibly();
    }
  }

  private static long readAndKill(BufferedReader lines, Process writer) throws IOException {
    String lastWords = "nothing said";
    long acknowledged = 0;
    long start = System.nanoTime();
    boolean killed = false;
    String line;
    while ((line = lines.readLine()) != null) {
      if (!line.startsWith(DemoWriterCommand.ACKNOWLEDGED)) {
        lastWords = line;
        continue;
      }
      acknowledged = Long.parseLong(line.substring(DemoWriterCommand.ACKNOWLEDGED.length()));
      start = acknowledged == 1 ? System.nanoTime() : start;
      if (!killed && System.nanoTime() - start > RUN_NANOS) {
        // By the handle: the process itself would close the stream with what it said last.
        writer.toHandle().destroyForcibly();
        killed = true;
      }
    }
    if (!killed) {
      throw CommandException.failure("the process to be killed ended by itself: " + lastWords);
    }
    return acknowledged;
  }

  private Process start() {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            MAIN_CLASS,
            DemoWriterCommand.NAME,
            directory.toString());
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw CommandException.failure("cannot start a process: " + e.getMessage(), e);
    }
  }

  private static String count(long value) {
    return Numbers.count(value);
  }
}
