package io.github.coppicedb.verify;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A process of its own that runs the main method of a test class, to be killed or to need room. */
final class ChildJvm implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 300;

  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  /** Starts a process with so many megabytes of heap. Its errors go to those of this process. */
  static ChildJvm start(int heapMegabytes, Class<?> main, Object... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapMegabytes + "m");
    command.add("-XX:+UseSerialGC");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    return new ChildJvm(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Returns the next line that the process prints, or null after the last one. */
  @Nullable String readLine() throws IOException {
    return output.readLine();
  }

  /** Reads all that is left of the output; returns the last line, or the given one. */
  String lastLine(String otherwise) throws IOException {
    String last = otherwise;
    for (String line = readLine(); line != null; line = readLine()) {
      last = line;
    }
    return last;
  }

  /**
   * Ends the process as {@code kill -9} does, and waits until it is gone. What it printed can still
   * be read: only {@link Process#destroyForcibly} itself throws it away.
   */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    process.waitFor();
  }

  /** Waits for the end of the process and returns its exit status. */
  int await() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the process does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
