package io.github.coppicedb.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ReducerTest {
  private static final long ENOUGH_MILLIS = 20_000;

  @Test
  void leavesOnlyTheStepsThatMatter() {
    History long2 = HistoryGenerator.withoutCrashes(7, 400);
    History reduced =
        new Reducer(ReducerTest::hasTwoDrainsAndOneDrop, ENOUGH_MILLIS)
            .reduce(long2.withSteps(withThree(long2)));
    List<Verb> verbs = reduced.steps().stream().map(Step::verb).sorted().toList();
    assertEquals(List.of(Verb.DROP, Verb.DRAIN, Verb.DRAIN), verbs);
  }

  @Test
  void shrinksBlobs() {
    History history = History.parse(Settings.tiny() + "\nput w0 t0 r4000.1 r50000.2\ndrain\n");
    History reduced = new Reducer(ReducerTest::hasPutOfKey, ENOUGH_MILLIS).reduce(history);
    assertEquals("put w0 t0 61 -", reduced.steps().getFirst().toString());
  }

  private static List<Step> withThree(History history) {
    List<Step> steps = new java.util.ArrayList<>(history.steps());
    steps.add(17, Step.of(Verb.DRAIN));
    steps.add(200, Step.of(Verb.DRAIN));
    steps.add(Step.of(Verb.DROP, "t0"));
    return steps;
  }

  private static boolean hasTwoDrainsAndOneDrop(History history) {
    return count(history, Verb.DRAIN) >= 2 && count(history, Verb.DROP) >= 1;
  }

  private static boolean hasPutOfKey(History history) {
    return history.steps().stream().anyMatch(s -> s.verb() == Verb.PUT && s.blob(2).length > 0);
  }

  private static long count(History history, Verb verb) {
    return history.steps().stream().filter(step -> step.verb() == verb).count();
  }
}
