package io.github.coppicedb.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Makes a failing history short by delta debugging: leaves out ever smaller parts as long as what
 * remains fails. Then tries smaller blobs. The result fails too, and no single step of it can be
 * left out, unless the time was over before.
 *
 * <p>Zeller, Hildebrandt: Simplifying and isolating failure-inducing input, 2002.
 */
public final class Reducer {
  private static final List<String> SMALLER_BLOBS = List.of("-", "61", "61*300");

  private static final Set<Verb> WITH_BLOBS =
      Set.of(Verb.PUT, Verb.PUT_IF_ABSENT, Verb.REPLACE, Verb.SWAP, Verb.COMPARE_AND_SET);
  private static final int FIRST_BLOB = 2;

  private final Predicate<History> fails;
  private final long deadline;

  /** Makes a reducer for a failure, that works at most so many milliseconds. */
  public Reducer(Predicate<History> fails, long milliseconds) {
    this.fails = fails;
    this.deadline = System.nanoTime() + milliseconds * 1_000_000;
  }

  /** Returns a history that fails too and is as short as could be found. */
  public History reduce(History failing) {
    History shorter = withoutParts(failing);
    return withSmallerBlobs(shorter);
  }

  private History withoutParts(History failing) {
    History best = failing;
    int part = Math.max(1, best.steps().size() / 2);
    while (hasTime()) {
      History tried = withoutPartsOf(best, part);
      boolean progress = tried.steps().size() < best.steps().size();
      best = tried;
      if (part == 1 && !progress) {
        break;
      }
      part = Math.max(1, part / 2);
    }
    return best;
  }

  /** Goes from the end to the begin, so that what remains is a begin of the history first. */
  private History withoutPartsOf(History failing, int part) {
    History best = failing;
    for (int end = best.steps().size(); end > 0 && hasTime(); end -= part) {
      List<Step> rest = new ArrayList<>(best.steps());
      rest.subList(Math.max(0, end - part), end).clear();
      History candidate = best.withSteps(rest);
      best = fails.test(candidate) ? candidate : best;
    }
    return best;
  }

  private History withSmallerBlobs(History failing) {
    History best = failing;
    for (int i = 0; i < best.steps().size(); i++) {
      Step step = best.steps().get(i);
      int arguments = WITH_BLOBS.contains(step.verb()) ? step.arguments().size() : 0;
      for (int a = FIRST_BLOB; a < arguments; a++) {
        best = withSmallerBlob(best, i, a);
      }
    }
    return best;
  }

  private History withSmallerBlob(History failing, int index, int argument) {
    String original = failing.steps().get(index).argument(argument);
    for (String smaller : SMALLER_BLOBS) {
      if (smaller.length() < original.length() && hasTime()) {
        History candidate = withArgument(failing, index, argument, smaller);
        if (fails.test(candidate)) {
          return candidate;
        }
      }
    }
    return failing;
  }

  private static History withArgument(History history, int index, int argument, String text) {
    List<Step> steps = new ArrayList<>(history.steps());
    List<String> arguments = new ArrayList<>(steps.get(index).arguments());
    arguments.set(argument, text);
    steps.set(index, new Step(steps.get(index).verb(), List.copyOf(arguments)));
    return history.withSteps(steps);
  }

  private boolean hasTime() {
    return System.nanoTime() < deadline;
  }
}
