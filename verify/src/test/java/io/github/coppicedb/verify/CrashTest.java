package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.Database;
import io.github.coppicedb.Durability;
import io.github.coppicedb.Table;
import io.github.coppicedb.TestDatabases;
import io.github.coppicedb.format.LogFormat;
import io.github.coppicedb.testkit.DatabaseContent;
import io.github.coppicedb.testkit.History;
import io.github.coppicedb.testkit.HistoryRunner;
import io.github.coppicedb.testkit.ModelState;
import io.github.coppicedb.testkit.Settings;
import io.github.coppicedb.testkit.SimulatedStorage;
import io.github.coppicedb.testkit.Step;
import io.github.coppicedb.testkit.Verb;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Crashes at every point of a short history, and logs that are cut at every byte. */
final class CrashTest {
  private static final String SHORT =
      """
      table t0
      begin w0
      put w0 t0 61 r30.1
      put w0 t0 62 r300.2
      commit w0
      table t1
      begin w0
      put w0 t1 61 r30.3
      delete w0 t0 61
      fill w0 t0 63 40 r20.4
      commit w0
      begin w0
      delete_range w0 t0 [63+00000004,63+00000010)
      put w0 t0 64 r1100000.5
      commit w0
      drain
      begin w0
      fill w0 t1 65 60 r20.6
      commit w0
      drop t0
      begin w0
      replace w0 t1 61 -
      commit w0
      compact
      """;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void powerCutAtEveryStorageCall(Durability level) {
    Settings settings = Settings.tiny().withDurability(level);
    int calls = 0;
    while (HistoryRunner.run(armed(settings, calls + 1)) > 0) {
      calls++;
    }
    int all = calls;
    assertTrue(all > 20, () -> "only %d calls of the storage".formatted(all));
  }

  /** The recovery is cut at its n-th call, then is tried again. */
  @ParameterizedTest
  @EnumSource(Durability.class)
  void powerCutDuringRecovery(Durability level) {
    History whole = History.parse(Settings.tiny().withDurability(level) + "\n" + SHORT);
    for (int length = 3; length <= whole.steps().size(); length += 3) {
      for (int n = 1; n <= 12; n++) {
        List<Step> steps = new ArrayList<>(whole.steps().subList(0, length));
        steps.add(Step.of(Verb.CRASH, "" + n, "" + n));
        HistoryRunner.run(whole.withSteps(steps));
      }
    }
  }

  private static History armed(Settings settings, int call) {
    return History.parse("%s\narm %d\n%s".formatted(settings, call, SHORT));
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = "UNSAVED_COMMITS_AT_RISK",
      mode = EnumSource.Mode.EXCLUDE)
  void br39LogCutAtEveryByte(Durability level) {
    cutEverywhere(level, log -> log, 0);
  }

  @Test
  void br39LogWithATailOfZeros() {
    cutEverywhere(Durability.PROCESS_SAFE, log -> Arrays.copyOf(log, log.length + 600), 0);
  }

  @Test
  void br39LogWithATailOfOldBytes() {
    cutEverywhere(Durability.PROCESS_SAFE, CrashTest::withOldTail, LogFormat.FIRST_FRAME);
  }

  /** What a recycled file has behind the end: frames of an older log, of which this is a copy. */
  private static byte[] withOldTail(byte[] log) {
    byte[] longer = Arrays.copyOf(log, log.length + 400);
    for (int i = log.length; i < longer.length; i++) {
      longer[i] = (byte) (i * 31);
    }
    return longer;
  }

  private static void cutEverywhere(Durability level, UnaryOperator<byte[]> tail, int least) {
    Settings settings = Settings.tiny().withDurability(level);
    SimulatedStorage storage = new SimulatedStorage();
    List<ModelState> states = new ArrayList<>();
    try (Database database = TestDatabases.open(storage, settings.options(), settings.tuning())) {
      Table table = database.table("t");
      states.add(DatabaseContent.of(database));
      for (int i = 1; i <= 3; i++) {
        int commit = i;
        database.write(tx -> putThree(new Writer(tx, table, Form.ARRAYS), commit));
        states.add(DatabaseContent.of(database));
      }
      awaitLog(storage, 200);
      new LogCuts(storage.processKill(), settings, states, tail, least).cutAtEveryByte();
    }
  }

  private static void putThree(Writer writer, int commit) {
    for (int key = 0; key < 3; key++) {
      writer.put(Keys.number(key), Keys.repeat((char) ('0' + commit), 20 + key));
    }
  }

  /** Waits until the log that is written in the background is there. */
  private static void awaitLog(SimulatedStorage storage, int bytes) {
    long end = System.nanoTime() + 5_000_000_000L;
    while (LogCuts.logOf(storage).length < bytes && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertTrue(LogCuts.logOf(storage).length >= bytes, "the log is written");
    assertEquals(List.of(), storage.misuse());
  }
}
