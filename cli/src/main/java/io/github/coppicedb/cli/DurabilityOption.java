package io.github.coppicedb.cli;

import io.github.coppicedb.Durability;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What a crash may take back of what a command has written. */
final class DurabilityOption {
  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      converter = Names.class,
      description =
          "What a crash can take back: power-safe (nothing; the default), process-safe,"
              + " recent-commits-at-risk, unsaved-commits-at-risk.")
  private Durability level = Durability.POWER_SAFE;

  Durability level() {
    return level;
  }

  /** The names of the levels, in lower case with dashes. */
  static final class Names implements ITypeConverter<Durability> {
    @Override
    public Durability convert(String name) {
      return Arrays.stream(Durability.values())
          .filter(level -> name(level).equals(name))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException("the levels are " + all()));
    }

    private static String name(Durability level) {
      return level.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String all() {
      return Arrays.stream(Durability.values()).map(Names::name).collect(Collectors.joining(", "));
    }
  }
}
