package io.github.coppicedb.testkit;

import io.github.coppicedb.Durability;
import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.tree.TreeSettings;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Makes random histories. Each seed draws its own mix: which verbs are frequent, which are absent,
 * which key shapes there are, how tiny tops and pages are. A mix finds what an average of all mixes
 * never reaches (swarm testing).
 *
 * <p>Groce, Zhang, Eide, Chen, Regehr: Swarm testing, 2012.
 */
public final class HistoryGenerator {
  private static final int TRANSACTIONS = 3;
  private static final int SNAPSHOTS = 2;
  private static final int CURSORS = 3;
  private static final int TABLES = 3;

  /** Verbs that every mix has, with their usual weights; the others come and go with the seed. */
  private static final Map<Verb, Integer> WEIGHTS = weights();

  private static final List<KeyShape> ALL_SHAPES = List.of(KeyShape.values());
  private static final List<Durability> LEVELS = List.of(Durability.values());

  private static final List<Verb> ALWAYS = List.of(Verb.TABLE, Verb.BEGIN, Verb.COMMIT, Verb.PUT);

  private final SplittableRandom random;
  private final List<KeyShape> shapes = new ArrayList<>();
  private final List<Verb> urn = new ArrayList<>();
  private final boolean largeValues;
  private int sinceArmed;

  private HistoryGenerator(long seed, EnumSet<Verb> allowed) {
    random = new SplittableRandom(seed);
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      shapes.add(ALL_SHAPES.get(random.nextInt(ALL_SHAPES.size())));
    }
    largeValues = random.nextInt(8) == 0;
    WEIGHTS.forEach((verb, weight) -> addToUrn(allowed, verb, weight));
  }

  /** Returns a history with so many steps, with crashes of all kinds. */
  public static History withCrashes(long seed, int steps) {
    return new HistoryGenerator(seed, EnumSet.allOf(Verb.class)).history(steps);
  }

  /** Returns a history with so many steps, without crashes. */
  public static History withoutCrashes(long seed, int steps) {
    EnumSet<Verb> calm = EnumSet.complementOf(EnumSet.of(Verb.ARM, Verb.CRASH, Verb.KILL));
    return new HistoryGenerator(seed, calm).history(steps);
  }

  private void addToUrn(EnumSet<Verb> allowed, Verb verb, int weight) {
    boolean always = ALWAYS.contains(verb);
    if (allowed.contains(verb) && (always || random.nextInt(4) > 0)) {
      int times = always ? weight : Math.max(1, weight * (1 + random.nextInt(8)) / 4);
      urn.addAll(java.util.Collections.nCopies(times, verb));
    }
  }

  private History history(int length) {
    Settings settings = settings();
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < TABLES - 1; i++) {
      steps.add(Step.of(Verb.TABLE, table(i)));
    }
    while (steps.size() < length) {
      steps.add(step(urn.get(random.nextInt(urn.size()))));
      if (sinceArmed > 0 && --sinceArmed == 0) {
        steps.add(step(Verb.CRASH));
      }
    }
    return new History(settings, List.copyOf(steps));
  }

  private Settings settings() {
    Durability level =
        random.nextBoolean() ? Durability.POWER_SAFE : LEVELS.get(random.nextInt(LEVELS.size()));
    Tuning tuning =
        new Tuning(
            pick(256, 512, 2048, 16_384),
            pick(4096, 32_768, 1 << 20, 1 << 20),
            pick(1024, 4096, 65_536),
            pick(512, 4096, 65_536),
            pick(4096, 65_536),
            pick(200, 2048, 1 << 20),
            pick(2, 3, 8),
            pick(1, 2, 4),
            pick(2, 3, 10),
            pick(1, 2, 6),
            new TreeSettings(pick(128, 256, 512, 4096), pick(0, 10, 10)));
    return new Settings(level, pick(0, 0, 0, 1, 2), tuning);
  }

  private Step step(Verb verb) {
    return switch (verb) {
      case TABLE, DROP -> Step.of(verb, table());
      case BEGIN, COMMIT, ROLLBACK, SAVEPOINT -> Step.of(verb, transaction());
      case ROLLBACK_TO -> Step.of(verb, transaction(), "" + random.nextInt(3));
      case SNAPSHOT, RELEASE -> Step.of(verb, snapshot());
      case PUT, PUT_IF_ABSENT, REPLACE, SWAP ->
          Step.of(verb, transaction(), table(), key(), value());
      case COMPARE_AND_SET -> Step.of(verb, transaction(), table(), key(), value(), value());
      case DELETE -> Step.of(verb, transaction(), table(), key());
      case DELETE_RANGE -> Step.of(verb, transaction(), table(), range());
      case FILL -> fill();
      case GET -> Step.of(verb, view(), table(), key());
      case SCAN, SCAN_BACK -> Step.of(verb, view(), table(), range());
      case CURSOR -> Step.of(verb, cursor(), view(), table(), range());
      case FIRST, LAST, NEXT, PREVIOUS, DELETE_AT, CLOSE_CURSOR -> Step.of(verb, cursor());
      case SEEK, SEEK_FLOOR -> Step.of(verb, cursor(), key());
      case SYNC, DRAIN, COMPACT, CHECK, REOPEN, KILL -> Step.of(verb);
      case ARM -> arm();
      case CRASH ->
          Step.of(verb, "" + random.nextInt(1_000_000), "" + Math.max(0, random.nextInt(40) - 20));
    };
  }

  private Step fill() {
    String value = "r%d.%d".formatted(random.nextInt(9), random.nextInt(1000));
    String count = "" + (1 + random.nextInt(150));
    return Step.of(Verb.FILL, transaction(), table(), key(), count, value);
  }

  private Step arm() {
    sinceArmed = 1 + random.nextInt(12);
    return Step.of(Verb.ARM, "" + (1 + random.nextInt(random.nextBoolean() ? 8 : 60)));
  }

  private static String table(int index) {
    return "t" + index;
  }

  private String table() {
    return table(random.nextInt(4) > 0 ? 0 : random.nextInt(TABLES));
  }

  private String transaction() {
    return "w" + (random.nextInt(3) > 0 ? 0 : random.nextInt(TRANSACTIONS));
  }

  private String snapshot() {
    return "s" + random.nextInt(SNAPSHOTS);
  }

  private String view() {
    return random.nextInt(3) == 0 ? snapshot() : transaction();
  }

  private String cursor() {
    return "c" + random.nextInt(CURSORS);
  }

  private String key() {
    return shapes.get(random.nextInt(shapes.size())).next(random);
  }

  private String value() {
    int seed = random.nextInt(1000);
    int dice = random.nextInt(100);
    if (dice < 10) {
      return "-";
    }
    if (dice < 80) {
      return "r%d.%d".formatted(1 + random.nextInt(12), seed);
    }
    if (dice < 97 || !largeValues) {
      return "r%d.%d".formatted(pick(100, 249, 250, 251, 252, 255, 256, 1000, 5000), seed);
    }
    int length = pick(65_535, 65_536, 65_537, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 1_300_000);
    return "r%d.%d".formatted(length, seed);
  }

  private String range() {
    if (random.nextInt(6) == 0) {
      return "(,)" + (random.nextBoolean() ? "!" : "");
    }
    String direction = random.nextInt(3) == 0 ? "!" : "";
    if (random.nextInt(4) == 0) {
      return "p" + key() + direction;
    }
    String low = random.nextInt(5) == 0 ? "" : key();
    String high = random.nextInt(5) == 0 ? "" : key();
    String open = random.nextBoolean() ? "(" : "[";
    String close = random.nextBoolean() ? ")" : "]";
    return open + low + "," + high + close + direction;
  }

  private int pick(int... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static Map<Verb, Integer> weights() {
    Map<Verb, Integer> weights = new EnumMap<>(Verb.class);
    for (Verb verb : Verb.values()) {
      weights.put(verb, usualWeight(verb));
    }
    return weights;
  }

  private static int usualWeight(Verb verb) {
    return switch (verb) {
      case PUT -> 60;
      case BEGIN, COMMIT -> 30;
      case DELETE, NEXT, PREVIOUS -> 20;
      case PUT_IF_ABSENT, REPLACE, SWAP, COMPARE_AND_SET, GET, SEEK, SEEK_FLOOR, CURSOR -> 8;
      case DELETE_RANGE, FILL, SCAN, SCAN_BACK, FIRST, LAST, DELETE_AT, SNAPSHOT -> 4;
      case SAVEPOINT, ROLLBACK_TO, ROLLBACK, RELEASE, SYNC, DRAIN -> 3;
      case TABLE, DROP, COMPACT, CHECK, REOPEN, ARM, CRASH, KILL, CLOSE_CURSOR -> 1;
    };
  }
}
