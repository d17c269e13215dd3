package io.github.coppicedb.bench;

import io.github.coppicedb.bench.keys.BuiltInSet;
import io.github.coppicedb.bench.keys.KeySource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** The options that say which keys. */
final class KeyOptions {
  @Option(
      names = "--keys",
      showDefaultValue = Visibility.NEVER,
      paramLabel = "FILE",
      description = "Keys, one a line; .gz and .xz are unpacked. Without: the built-in sets.")
  private List<Path> files = List.of();

  @Option(
      names = "--name",
      showDefaultValue = Visibility.NEVER,
      paramLabel = "N",
      description = "The name of the set of the --keys with the same place among them.")
  private List<String> names = List.of();

  @Option(
      names = "--sets",
      showDefaultValue = Visibility.NEVER,
      split = ",",
      paramLabel = "S",
      description = "Built-in sets: titles, words, paths. Default: all, unless there are --keys.")
  private List<String> sets = List.of();

  @Option(names = "--seed", paramLabel = "N", description = "Of generators and shuffles.")
  private long seed = 1;

  long seed() {
    return seed;
  }

  /** Returns the sources that were asked for. */
  List<KeySource> sources() {
    if (files.size() != names.size()) {
      throw new IllegalArgumentException(
          "%d --keys and %d --name: each file needs a name".formatted(files.size(), names.size()));
    }
    List<KeySource> sources = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (!names.get(i).matches("[\\w-]+")) {
        throw new IllegalArgumentException(
            "--name '%s' must be of letters, digits, - and _".formatted(names.get(i)));
      }
      if (!Files.isReadable(files.get(i))) {
        throw new IllegalArgumentException("--keys %s cannot be read".formatted(files.get(i)));
      }
      sources.add(new KeySource.Lines(names.get(i), files.get(i)));
    }
    for (BuiltInSet set : BuiltInSet.values()) {
      if (sets.isEmpty() ? files.isEmpty() : sets.contains(set.setName())) {
        sources.add(new KeySource.Generated(set, seed));
      }
    }
    for (String name : sets) {
      if (Arrays.stream(BuiltInSet.values()).noneMatch(set -> set.setName().equals(name))) {
        throw new IllegalArgumentException(
            "no set '%s'; there are titles, words, paths".formatted(name));
      }
    }
    return sources;
  }
}
