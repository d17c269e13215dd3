package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.fail;

import io.github.coppicedb.testkit.History;
import io.github.coppicedb.testkit.HistoryFailure;
import io.github.coppicedb.testkit.HistoryGenerator;
import io.github.coppicedb.testkit.HistoryRunner;
import io.github.coppicedb.testkit.Reducer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Random histories against the model, with seals, merges, reopens and crashes. The first seed and
 * the number of seeds are {@code -Dcoppice.seed} and {@code -Dcoppice.seeds}. A failing history is
 * reduced and printed; put into a file of {@code src/test/resources/histories} it is run for ever.
 */
final class RandomHistoryTest {
  private static final int FIRST_SEED = Integer.getInteger("coppice.seed", 1);
  private static final int REDUCING_MILLIS = 30_000;
  private static final Path FORMER_FAILURES = Path.of("src/test/resources/histories");

  @Test
  void historiesWithoutCrashes() {
    int seeds = Integer.getInteger("coppice.seeds", 120);
    for (int seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
      run(seed, HistoryGenerator.withoutCrashes(seed, 600));
    }
  }

  @Test
  void historiesWithCrashes() {
    int seeds = Integer.getInteger("coppice.seeds", 200);
    for (int seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
      run(seed, HistoryGenerator.withCrashes(seed, 400));
    }
  }

  @Test
  @Tag("long")
  void thousandsOfHistories() {
    int seeds = Integer.getInteger("coppice.seeds", 2000);
    int first = FIRST_SEED + 1_000_000;
    for (int seed = first; seed < first + seeds; seed++) {
      run(seed, HistoryGenerator.withCrashes(seed, 300 + seed % 2000));
    }
  }

  /** Runs every history that failed once. */
  @TestFactory
  List<DynamicTest> formerFailures() throws IOException {
    if (!Files.isDirectory(FORMER_FAILURES)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(FORMER_FAILURES)) {
      return files.sorted().map(RandomHistoryTest::replay).toList();
    }
  }

  private static DynamicTest replay(Path file) {
    return DynamicTest.dynamicTest(
        String.valueOf(file.getFileName()),
        () -> HistoryRunner.run(History.parse(Files.readString(file))));
  }

  private static void run(int seed, History history) {
    try {
      HistoryRunner.run(history);
    } catch (HistoryFailure failure) {
      History reduced = new Reducer(HistoryRunner::fails, REDUCING_MILLIS).reduce(history);
      String message = failure.getMessage();
      try {
        HistoryRunner.run(reduced);
      } catch (HistoryFailure shorter) {
        message += "\nreduced: " + shorter.getMessage();
      }
      fail("seed %d: %s\n%s".formatted(seed, message, reduced), failure);
    }
  }
}
