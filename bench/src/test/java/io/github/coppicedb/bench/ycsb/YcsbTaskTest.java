package io.github.coppicedb.bench.ycsb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

class YcsbTaskTest {
  private static final int RECORDS = 300;
  private static final int OPERATIONS = 600;

  @TempDir private Path folder;

  static Stream<Arguments> runs() {
    List<Arguments> runs = new ArrayList<>();
    for (YcsbEngine engine : YcsbEngine.values()) {
      for (YcsbWorkload workload : YcsbWorkload.values()) {
        runs.add(Arguments.of(engine, workload));
      }
    }
    return runs.stream();
  }

  @ParameterizedTest
  @MethodSource("runs")
  void whatIsReadIsWhatAMapHas(YcsbEngine engine, YcsbWorkload workload) throws Exception {
    NavigableMap<byte[], byte[]> map = new TreeMap<>(Arrays::compareUnsigned);
    YcsbTask task = new YcsbTask(engine, workload, RECORDS, OPERATIONS, 1, false, folder);
    try (Mirror store = new Mirror(engine.open(folder, false), map)) {
      Map<String, Double> values = task.measure(store, RECORDS, OPERATIONS);
      double rate = values.getOrDefault("run_per_s", 0.0);
      assertEquals(OPERATIONS, rate * values.getOrDefault("run_s", 0.0), 1e-6);
      List<byte[]> all = new ArrayList<>();
      store.scan(new byte[0], Integer.MAX_VALUE, all::add);
      assertEquals(map.size(), all.size());
      assertTrue(all.size() >= RECORDS);
      assertTrue(store.compared > OPERATIONS / 3, "compared " + store.compared);
    }
  }

  @ParameterizedTest
  @EnumSource(YcsbEngine.class)
  void updatesChangeOneField(YcsbEngine engine) throws Exception {
    try (RecordStore store = engine.open(folder, true)) {
      StoreBinding binding = new StoreBinding(store, new OperationTimes());
      assertEquals(Status.OK, binding.insert("t", "k", fields("a", "1", "b", "2")));
      assertEquals(Status.OK, binding.update("t", "k", fields("b", "three")));
      assertEquals(Map.of("a", "1", "b", "three"), read(binding, "k"));
      assertEquals(Status.NOT_FOUND, binding.update("t", "other", fields("b", "3")));
      assertEquals(Status.OK, binding.delete("t", "k"));
      assertEquals(Status.NOT_FOUND, binding.read("t", "k", null, new HashMap<>()));
    }
  }

  @Test
  void aChildsRunIsWhatItsArgumentsSay() throws Exception {
    YcsbTask task =
        new YcsbTask(YcsbEngine.ROCKSDB, YcsbWorkload.E, 1, 2, 3, true, Path.of("somewhere"));
    assertEquals(task, YcsbTask.of(task.arguments()));
    assertEquals(YcsbTask.ARGUMENTS, task.arguments().size());
  }

  @Test
  void severalThreadsDoAllOfIt() throws Exception {
    YcsbTask task =
        new YcsbTask(YcsbEngine.COPPICE, YcsbWorkload.A, RECORDS, OPERATIONS, 3, false, folder);
    Map<String, Double> values = task.run();
    assertEquals(
        OPERATIONS,
        values.getOrDefault("read_count", 0.0) + values.getOrDefault("update_count", 0.0));
    assertFalse(values.containsKey("scan_count"));
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void wrongNamesSayWhatThereIs() {
    String engine =
        assertThrows(IllegalArgumentException.class, () -> YcsbEngine.named("lmdb")).getMessage();
    assertEquals("no engine 'lmdb'; there are coppice, rocksdb", engine);
    String workload =
        assertThrows(IllegalArgumentException.class, () -> YcsbWorkload.of("g")).getMessage();
    assertEquals("no workload 'g'; there are a, b, c, d, e, f", workload);
  }

  private static Map<String, ByteIterator> fields(String... namesAndValues) {
    Map<String, ByteIterator> fields = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(
          namesAndValues[i],
          new ByteArrayByteIterator(namesAndValues[i + 1].getBytes(StandardCharsets.UTF_8)));
    }
    return fields;
  }

  private static Map<String, String> read(StoreBinding binding, String key) {
    Map<String, ByteIterator> result = new HashMap<>();
    assertEquals(Status.OK, binding.read("t", key, null, result));
    Map<String, String> texts = new HashMap<>();
    result.forEach((name, value) -> texts.put(name, value.toString()));
    return texts;
  }

  /** Does everything twice, and compares. */
  private static final class Mirror implements RecordStore {
    private final RecordStore store;
    private final NavigableMap<byte[], byte[]> map;
    private int compared;

    Mirror(RecordStore store, NavigableMap<byte[], byte[]> map) {
      this.store = store;
      this.map = map;
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws Exception {
      byte[] record = store.get(key);
      assertArrayEquals(map.get(key), record);
      compared++;
      return record;
    }

    @Override
    public void put(byte[] key, byte[] record) throws Exception {
      store.put(key, record);
      map.put(key, record);
    }

    @Override
    public boolean change(byte[] key, UnaryOperator<byte[]> change) throws Exception {
      byte[] record = map.computeIfPresent(key, (any, old) -> change.apply(old));
      boolean changed = store.change(key, change);
      assertEquals(record != null, changed);
      get(key);
      return changed;
    }

    @Override
    public void delete(byte[] key) throws Exception {
      store.delete(key);
      map.remove(key);
    }

    @Override
    public void scan(byte[] from, int count, Consumer<byte[]> sink) throws Exception {
      List<byte[]> found = new ArrayList<>();
      store.scan(from, count, found::add);
      List<byte[]> expected = map.tailMap(from, true).values().stream().limit(count).toList();
      assertEquals(expected.size(), found.size());
      for (int i = 0; i < found.size(); i++) {
        assertArrayEquals(expected.get(i), found.get(i));
      }
      compared++;
      found.forEach(sink);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
