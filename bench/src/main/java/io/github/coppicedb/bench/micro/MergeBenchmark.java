package io.github.coppicedb.bench.micro;

import io.github.coppicedb.bench.keys.BuiltInSet;
import io.github.coppicedb.bench.keys.KeySource;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.HeapTreeOutput;
import io.github.coppicedb.tree.MaskedRanges;
import io.github.coppicedb.tree.PackedTree;
import io.github.coppicedb.tree.TreeBuilder;
import io.github.coppicedb.tree.TreeMerger;
import io.github.coppicedb.tree.TreeSettings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Nanoseconds an entry, in heap: seal of a top, build of a tree from keys in order, merge. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MergeBenchmark {
  private static final int KEYS = 65_536;

  /** Keys of a top. */
  private static final int SEALED = 8_192;

  private static final MemorySegment NO_VALUE = MemorySegment.ofArray(new byte[0]);

  /** Which keys. */
  @Param({"TITLES", "WORDS", "PATHS"})
  public BuiltInSet set = BuiltInSet.WORDS;

  /** Runs of a merge. */
  @Param({"2", "8", "64"})
  public int runs = 8;

  /** Bits of the filters that are made; 0 makes none. */
  @Param({"0", "10"})
  public int filterBits = 10;

  private TreeSettings settings = TreeSettings.DEFAULT;
  private byte[] sorted = {};
  private int[] places = {};
  private int[] shared = {};
  private ArenaTop top = new ArenaTop(false);
  private List<List<PackedTree>> inputs = List.of();

  /** Makes the keys, a top of some, and the runs. */
  @Setup
  public void prepare() throws IOException {
    settings = new TreeSettings(TreeSettings.DEFAULT.pageBytes(), filterBits);
    byte[][] keys = new KeySource.Generated(set, 1).keys(KEYS).toArray(byte[][]::new);
    for (int i = 0; i < SEALED; i++) {
      top.put(keys[i], keys[i].length, EntryKind.PUT, NO_VALUE, 0, 0);
    }
    inputs = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      order(Arrays.copyOfRange(keys, KEYS / runs * run, KEYS / runs * (run + 1)));
      inputs.add(List.of(build()));
    }
    order(keys);
  }

  /** Puts keys in order into one array. */
  private void order(byte[][] keys) {
    Arrays.sort(keys, Arrays::compareUnsigned);
    places = new int[keys.length + 1];
    shared = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      places[i + 1] = places[i] + keys[i].length;
      shared[i] = i == 0 ? 0 : mismatch(keys[i - 1], keys[i]);
    }
    sorted = new byte[places[keys.length]];
    for (int i = 0; i < keys.length; i++) {
      System.arraycopy(keys[i], 0, sorted, places[i], keys[i].length);
    }
  }

  private static int mismatch(byte[] a, byte[] b) {
    int mismatch = Arrays.mismatch(a, b);
    return mismatch < 0 ? a.length : mismatch;
  }

  /** Sorts the records of a top and packs them. */
  @Benchmark
  @OperationsPerInvocation(SEALED)
  public PackedTree seal() {
    return top.seal(top.mark(), settings);
  }

  /** Builds a tree of keys in order. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public PackedTree build() {
    TreeBuilder builder = TreeBuilder.inHeap(settings);
    for (int i = 0; i < shared.length; i++) {
      int length = places[i + 1] - places[i];
      builder.add(shared[i], sorted, places[i], length, EntryKind.PUT, sorted, 0, 0);
    }
    return builder.finish(MaskedRanges.NONE);
  }

  /** Merges the runs. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public List<PackedTree> merge() {
    TreeMerger merger =
        new TreeMerger(inputs, false, settings, Long.MAX_VALUE, HeapTreeOutput::new);
    while (!merger.step(1 << 13)) {
      // Steps, as a merge in the background goes.
    }
    return merger.result();
  }
}
