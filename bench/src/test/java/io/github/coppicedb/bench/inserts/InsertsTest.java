package io.github.coppicedb.bench.inserts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.bench.report.Rows;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InsertsTest {
  private static final InsertsPlan PLAN = new InsertsPlan(3_000, 500, 15_000, 1, true, 7);

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(RowEngine.class)
  void eachEngineTakesAndFindsTheRows(RowEngine engine) throws Exception {
    try (Spy store = new Spy(engine.open(folder))) {
      Map<String, Double> values = InsertsTask.measure(store, PLAN, folder);
      assertEquals(3_500, store.puts);
      assertEquals(1.0, values.get("hits_found"));
      double found = values.getOrDefault("misses_found", 1.0);
      assertTrue(found > 0 && found < 0.1, "misses found " + found);
      assertTrue(values.getOrDefault("fill_drained_s", 0.0) >= values.getOrDefault("fill_s", 1.0));
      // Keys 1 to 3,000, zeros, unless a random insert came by later.
      assertEquals(3_000, store.keys.stream().filter(key -> key <= 3_000).count());
      for (Map.Entry<Long, Long> row : store.firstColumns.entrySet()) {
        byte[] found8 = store.get(ByteBuffer.allocate(8).putLong(row.getKey()).array());
        assertTrue(found8 != null);
        assertEquals(row.getValue(), ByteBuffer.wrap(found8).getLong());
      }
    }
  }

  @Test
  void aChildsRunIsWhatItsArgumentsSay() {
    InsertsTask task = new InsertsTask(RowEngine.ROCKSDB_NOLOG, PLAN, Path.of("somewhere"));
    assertEquals(task, InsertsTask.of(task.arguments()));
    assertEquals(InsertsTask.ARGUMENTS, task.arguments().size());
  }

  @Test
  void aWarmUpHasTheSameShape() {
    InsertsPlan plan = new InsertsPlan(2_000_000, 400_000, 10_000_000, 4, true, 1);
    assertEquals(new InsertsPlan(500_000, 100_000, 2_500_000, 1, true, 2), plan.warmUp(500_000));
    assertEquals(3_000, PLAN.warmUp(500_000).rows());
  }

  @Test
  void aRatioSaysHowManyTimesAsGoodCoppiceIs() {
    InsertsSuite suite = new InsertsSuite("A1", PLAN, List.of("coppice", "rocksdb"), 1);
    Rows rows =
        new Rows(
            List.of(
                new Rows.Row("A1", "coppice", 1, Map.of("fill_s", 2.0, "hits_per_s", 300.0)),
                new Rows.Row("A1", "rocksdb", 1, Map.of("fill_s", 5.0, "hits_per_s", 100.0))));
    assertEquals(
        List.of("inserts fill ratio 2.50", "inserts hits ratio 3.00"),
        new InsertsReport(suite, rows).ratioLines());
    assertEquals("task,engine,round,", rows.csv().getFirst().substring(0, 18));
    assertEquals(3, rows.csv().size());
  }

  @Test
  void wrongNamesAndNumbersAreRefused() {
    assertEquals(
        "no engine 'lsm3'; there are coppice, rocksdb, rocksdb-nolog",
        assertThrows(
                IllegalArgumentException.class,
                () -> new InsertsSuite("A1", PLAN, List.of("lsm3"), 1))
            .getMessage());
    assertEquals(
        "--rows is 0, it must be at least 1",
        assertThrows(IllegalArgumentException.class, () -> new InsertsPlan(0, 1, 1, 1, true, 1))
            .getMessage());
  }

  /** Takes note of what is put. */
  private static final class Spy implements RowStore {
    private final RowStore store;
    private final Set<Long> keys = new HashSet<>();
    private final Map<Long, Long> firstColumns = new HashMap<>();
    private int puts;

    Spy(RowStore store) {
      this.store = store;
    }

    @Override
    public void put(byte[] key, byte[] row) throws Exception {
      assertEquals(64, row.length);
      store.put(key, row);
      keys.add(ByteBuffer.wrap(key).getLong());
      firstColumns.put(ByteBuffer.wrap(key).getLong(), ByteBuffer.wrap(row).getLong());
      puts++;
    }

    @Override
    public void commit() throws Exception {
      store.commit();
    }

    @Override
    public void sync() throws Exception {
      store.sync();
    }

    @Override
    public void drain() throws Exception {
      store.drain();
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws Exception {
      return store.get(key);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
