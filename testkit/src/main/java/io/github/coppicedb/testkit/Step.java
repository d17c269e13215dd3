package io.github.coppicedb.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One step of a history. Text form: the verb in small letters and the arguments, between spaces.
 *
 * @param verb what is done
 * @param arguments what it is done with, see {@link Verb}
 */
public record Step(Verb verb, List<String> arguments) {
  /** Makes a step. */
  public static Step of(Verb verb, String... arguments) {
    return new Step(verb, List.of(arguments));
  }

  /** Reads the text form. */
  public static Step parse(String line) {
    List<String> words = Arrays.asList(line.strip().split(" +", -1));
    Verb verb = Verb.valueOf(words.getFirst().toUpperCase(Locale.ROOT));
    return new Step(verb, List.copyOf(words.subList(1, words.size())));
  }

  /** Returns an argument. */
  public String argument(int index) {
    return arguments.get(index);
  }

  /** Returns an argument that is a number. */
  public int number(int index) {
    return Integer.parseInt(arguments.get(index));
  }

  /** Returns an argument that is a blob. */
  public byte[] blob(int index) {
    return Blob.decode(arguments.get(index));
  }

  /** Returns an argument that is a range. */
  public RangeSpec range(int index) {
    return RangeSpec.parse(arguments.get(index));
  }

  @Override
  public String toString() {
    String name = verb.name().toLowerCase(Locale.ROOT);
    return arguments.isEmpty() ? name : name + " " + String.join(" ", arguments);
  }
}
