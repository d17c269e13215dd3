package io.github.coppicedb.bench.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs a child to its end and keeps what it said. */
public final class ChildProcess {
  private ChildProcess() {}

  /** How a child ended, and its lines. */
  public record Ended(int status, List<String> out, List<String> err) {
    /** Returns the line that most likely says what went wrong. */
    public String lastError() {
      return err.stream()
          .filter(line -> line.contains("rror") || line.contains("xception"))
          .findFirst()
          .orElse(err.isEmpty() ? "exit status " + status : err.getLast())
          .strip();
    }
  }

  /**
   * Returns the command that runs these benchmarks in a JVM like this one.
   *
   * @param heap its -Xmx, or null for the JVM's own
   * @param options of the JVM
   * @param arguments of {@link io.github.coppicedb.bench.Main}
   */
  public static List<String> javaCommand(
      @Nullable String heap, List<String> options, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (heap != null) {
      command.add("-Xmx" + heap);
    }
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.github.coppicedb.bench.Main");
    command.addAll(arguments);
    return command;
  }

  /**
   * Runs a command.
   *
   * @throws IOException if it cannot be started or takes longer than the limit
   */
  public static Ended run(List<String> command, Duration limit) throws IOException {
    // Files, not pipes: nobody reads while the child computes.
    Path out = Files.createTempFile("coppice-bench", ".out");
    Path err = Files.createTempFile("coppice-bench", ".err");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      int status = await(process, limit);
      return new Ended(status, lines(out), lines(err));
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }

  private static int await(Process process, Duration limit) throws IOException {
    try {
      if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException("not done after " + limit.toSeconds() + " seconds");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<String> lines(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
