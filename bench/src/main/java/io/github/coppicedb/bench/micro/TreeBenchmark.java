package io.github.coppicedb.bench.micro;

import io.github.coppicedb.bench.keys.BuiltInSet;
import io.github.coppicedb.bench.keys.KeySource;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.PackedTree;
import io.github.coppicedb.tree.TreeSettings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
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

/** Nanoseconds a key, at the size of one top: insert, seal, cursor step, get through n trees. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TreeBenchmark {
  /** Keys of a top. */
  private static final int KEYS = 16_384;

  private static final MemorySegment NO_VALUE = MemorySegment.ofArray(new byte[0]);

  /** Which keys. */
  @Param({"TITLES", "WORDS", "PATHS"})
  public BuiltInSet set = BuiltInSet.WORDS;

  /** Trees that a get looks through; the one that has the key is any of them. */
  @Param({"1", "8"})
  public int trees = 1;

  private byte[][] keys = {};
  private PackedTree[] layers = {};
  private final EntryValue value = new EntryValue();

  /** Makes the keys and, of them in turn, the trees. */
  @Setup
  public void prepare() throws IOException {
    List<byte[]> generated = new KeySource.Generated(set, 1).keys(KEYS);
    keys = generated.toArray(byte[][]::new);
    layers = new PackedTree[trees];
    for (int layer = 0; layer < trees; layer++) {
      ArenaTop top = new ArenaTop(false);
      for (int i = layer; i < KEYS; i += trees) {
        put(top, keys[i]);
      }
      layers[layer] = top.seal(top.mark(), TreeSettings.DEFAULT);
    }
  }

  private static void put(ArenaTop top, byte[] key) {
    top.put(key, key.length, EntryKind.PUT, NO_VALUE, 0, 0);
  }

  private ArenaTop fill(boolean isShared) {
    ArenaTop top = new ArenaTop(isShared);
    for (byte[] key : keys) {
      put(top, key);
    }
    top.publish();
    return top;
  }

  /** Puts into a transaction's top, which is indexed late. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public ArenaTop insert() {
    return fill(false);
  }

  /** Puts into a shared top, which is indexed at once. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public ArenaTop insertShared() {
    return fill(true);
  }

  /** Puts, and the seal into a packed tree. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public PackedTree insertAndSeal() {
    ArenaTop top = fill(false);
    return top.seal(top.mark(), TreeSettings.DEFAULT);
  }

  /** Gets of keys that are there. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public int get() {
    int found = 0;
    for (byte[] key : keys) {
      long hash = KeyHash.of(key, key.length);
      for (PackedTree layer : layers) {
        if (layer.find(key, key.length, hash, value)) {
          found++;
          break;
        }
      }
    }
    return found;
  }

  /** Steps through one tree after the other. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public int cursorStep() {
    int seen = 0;
    for (PackedTree layer : layers) {
      EntryCursor cursor = layer.cursor();
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        seen++;
      }
    }
    return seen;
  }
}
