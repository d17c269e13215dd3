package io.github.coppicedb.bench.keys;

import io.github.coppicedb.cli.demo.PathGenerator;
import java.util.Locale;

/** The sets that need no file. */
public enum BuiltInSet {
  /** Titles like those of an encyclopaedia. */
  TITLES,
  /** Words of a dissociated press. */
  WORDS,
  /** Paths like those of a Linux distribution. */
  PATHS;

  /** Returns the name that reports use. */
  public String setName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Begins the sequence of a seed. */
  public KeyGenerator generator(long seed) {
    return switch (this) {
      case TITLES -> new TitleGenerator(seed);
      case WORDS -> new WordGenerator(seed);
      case PATHS -> new PathGenerator(seed)::next;
    };
  }
}
