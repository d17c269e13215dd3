package io.github.coppicedb.bench.inserts;

import io.github.coppicedb.bench.run.Folders;
import io.github.coppicedb.bench.run.ProcessFacts;
import io.github.coppicedb.bench.run.Quiet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * One run of a plan by an engine, in a process of its own.
 *
 * @param directory an empty folder
 */
record InsertsTask(RowEngine engine, InsertsPlan plan, Path directory) {
  /** The first argument of a child's command line. */
  static final String CHILD = "inserts-child";

  /** How many arguments a task has. */
  static final int ARGUMENTS = InsertsPlan.FIELDS + 2;

  private static final int ROW_BYTES = 64;
  private static final int USER_BYTES = Long.BYTES + ROW_BYTES;
  private static final int ORDERED_BATCH = 10_000;
  private static final int RANDOM_BATCH = 1_000;
  private static final long MOST_WARM = 500_000;
  private static final int DIGITS = 3;
  private static final double NANO = 1e-9;
  private static final double MICRO = 1e-3;
  private static final double NANOS_OF_HALF = 0.5e9;

  List<String> arguments() {
    List<String> arguments = new ArrayList<>(List.of(engine.engineName(), directory.toString()));
    arguments.addAll(plan.arguments());
    return arguments;
  }

  static InsertsTask of(List<String> arguments) {
    return new InsertsTask(
        RowEngine.named(arguments.get(0)),
        InsertsPlan.of(arguments.subList(2, arguments.size())),
        Path.of(arguments.get(1)));
  }

  /** Warms up and measures; in the child. Returns the values by column. */
  Map<String, Double> run() throws Exception {
    once(plan.warmUp(MOST_WARM), "warm");
    Quiet.await();
    return once(plan, "measured");
  }

  private Map<String, Double> once(InsertsPlan some, String name) throws Exception {
    Path folder = Files.createDirectories(directory.resolve(name));
    try (RowStore store = engine.open(folder)) {
      return measure(store, some, folder);
    } finally {
      Folders.delete(folder);
    }
  }

  /** Does all of a plan with an empty store. */
  static Map<String, Double> measure(RowStore store, InsertsPlan plan, Path folder)
      throws Exception {
    Map<String, Double> values = new LinkedHashMap<>();
    SplittableRandom random = new SplittableRandom(plan.seed());
    SplittableRandom keys = random.split();
    insert(
        new Phase("fill", plan.rows(), ORDERED_BATCH, false),
        store,
        plan,
        i -> i + 1,
        random,
        values);
    double bytes = (double) bytes(folder);
    values.put("fill_bytes_per_row", bytes / plan.rows());
    insert(
        new Phase("random", plan.random(), RANDOM_BATCH, true),
        store,
        plan,
        i -> 1 + keys.nextLong(plan.range()),
        random,
        values);
    select("hits", store, plan, 1, Math.min(plan.rows(), plan.range()), keys, values);
    if (plan.range() > plan.rows()) {
      select("misses", store, plan, plan.rows() + 1, plan.range(), keys, values);
    }
    // By now files that merges replaced have been removed, which the engines do in the background.
    values.put("disk_bytes", (double) bytes(folder));
    return values;
  }

  /**
   * A phase of inserts.
   *
   * @param numbered whether the first column is the number of the row, as in the document, not zero
   */
  private record Phase(String name, long count, int batch, boolean numbered) {}

  private static void insert(
      Phase phase,
      RowStore store,
      InsertsPlan plan,
      LongUnaryOperator key,
      SplittableRandom random,
      Map<String, Double> values)
      throws Exception {
    Histogram batches = new Histogram(DIGITS);
    OptionalLong written = ProcessFacts.writtenBytes();
    long cpu = ProcessFacts.cpuNanos();
    long begin = System.nanoTime();
    for (long i = 0; i < phase.count(); ) {
      long end = Math.min(phase.count(), i + phase.batch());
      long batchBegin = System.nanoTime();
      for (; i < end; i++) {
        store.put(key(key.applyAsLong(i)), row(phase.numbered() ? i + 1 : 0, plan, random));
      }
      store.commit();
      batches.recordValue(System.nanoTime() - batchBegin);
    }
    store.sync();
    double seconds = (System.nanoTime() - begin) * NANO;
    store.drain();
    String name = phase.name();
    values.put(name + "_s", seconds);
    values.put(name + "_drained_s", (System.nanoTime() - begin) * NANO);
    values.put(name + "_cpu_s", (ProcessFacts.cpuNanos() - cpu) * NANO);
    values.put(name + "_rows_per_s", phase.count() / seconds);
    values.put(name + "_batch_p50_us", batches.getValueAtPercentile(50) * MICRO);
    values.put(name + "_batch_p99_us", batches.getValueAtPercentile(99) * MICRO);
    values.put(name + "_batch_max_us", batches.getMaxValue() * MICRO);
    OptionalLong writtenEnd = ProcessFacts.writtenBytes();
    if (written.isPresent() && writtenEnd.isPresent()) {
      double bytes = writtenEnd.getAsLong() - written.getAsLong();
      values.put(name + "_written_per_byte", bytes / (phase.count() * USER_BYTES));
    }
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static byte[] row(long number, InsertsPlan plan, SplittableRandom random) {
    byte[] row = new byte[ROW_BYTES];
    if (plan.sameValues()) {
      ByteBuffer.wrap(row).putLong(number);
    } else {
      random.nextBytes(row);
    }
    return row;
  }

  /** Gets random keys of a range for half of the time. */
  private static void select(
      String name,
      RowStore store,
      InsertsPlan plan,
      long from,
      long to,
      SplittableRandom keys,
      Map<String, Double> values)
      throws Exception {
    Histogram times = new Histogram(DIGITS);
    long found = 0;
    long count = 0;
    long cpu = ProcessFacts.cpuNanos();
    long begin = System.nanoTime();
    long end = begin + (long) (plan.seconds() * NANOS_OF_HALF);
    long now = begin;
    while (now < end) {
      byte[] row = store.get(key(keys.nextLong(from, to + 1)));
      if (row != null) {
        requireRow(row);
        found++;
      }
      count++;
      long after = System.nanoTime();
      times.recordValue(after - now);
      now = after;
    }
    values.put(name + "_per_s", count / ((now - begin) * NANO));
    values.put(name + "_cpu_us", (ProcessFacts.cpuNanos() - cpu) * MICRO / count);
    values.put(name + "_found", (double) found / count);
    values.put(name + "_p50_us", times.getValueAtPercentile(50) * MICRO);
    values.put(name + "_p99_us", times.getValueAtPercentile(99) * MICRO);
    values.put(name + "_p999_us", times.getValueAtPercentile(99.9) * MICRO);
    values.put(name + "_max_us", times.getMaxValue() * MICRO);
  }

  private static void requireRow(byte[] row) {
    if (row.length != ROW_BYTES) {
      throw new IllegalStateException("a row of %d bytes came back".formatted(row.length));
    }
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(path -> path.toFile().length()).sum();
    }
  }
}
