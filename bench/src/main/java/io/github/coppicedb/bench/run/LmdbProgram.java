package io.github.coppicedb.bench.run;

import io.github.coppicedb.bench.engine.EngineSpec.InC;
import io.github.coppicedb.bench.keys.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The C program that runs LMDB. It is compiled here, so that the library is the machine's own.
 *
 * @param file the program
 */
record LmdbProgram(Path file) {
  private static final String SOURCE = "lmdb_bench.c";
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /**
   * Compiles the program into a folder.
   *
   * @throws MissingEngineException if there is no compiler or no library
   */
  static LmdbProgram compile(Path folder) throws IOException, MissingEngineException {
    Path source = folder.resolve(SOURCE);
    Files.writeString(source, Resources.text(LmdbProgram.class, SOURCE));
    Path program = folder.resolve("lmdb_bench");
    String cc = Optional.ofNullable(System.getenv("CC")).orElse("cc");
    List<String> command =
        List.of(cc, "-O2", "-o", program.toString(), source.toString(), "-llmdb", "-lpthread");
    ChildProcess.Ended ended;
    try {
      ended = ChildProcess.run(command, LIMIT);
    } catch (IOException e) {
      throw new MissingEngineException("no C compiler: " + e.getMessage());
    }
    if (ended.status() != 0) {
      throw new MissingEngineException(
          "it needs a C compiler and liblmdb-dev (" + ended.lastError() + ")");
    }
    return new LmdbProgram(program);
  }

  List<String> command(InC engine, EngineTask task) {
    return List.of(
        file.toString(),
        task.directory().toString(),
        task.keys().keys().toString(),
        task.keys().misses().toString(),
        String.valueOf(task.count()),
        String.valueOf(task.probes()),
        task.workload().workloadName(),
        engine.unsynced() || !task.workload().isForced() ? "1" : "0",
        String.valueOf(engine.run()),
        engine.inPieces() ? "1" : "0");
  }
}
