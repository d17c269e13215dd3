package io.github.coppicedb.bench.ycsb;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * What YCSB calls: hands its operations to a store and times them. One for each thread; YCSB wants
 * a subclass. What goes wrong is thrown, as a run with failures has no result.
 */
final class StoreBinding extends DB {
  private final RecordStore store;
  private final OperationTimes times;

  StoreBinding(RecordStore store, OperationTimes times) {
    this.store = store;
    this.times = times;
  }

  private interface Work {
    Status run() throws Exception;
  }

  private Status timed(Operation operation, Work work) {
    long begin = System.nanoTime();
    try {
      Status status = work.run();
      times.add(operation, System.nanoTime() - begin);
      return status;
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(operation + " failed: " + e.getMessage(), e);
    }
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return timed(
        Operation.READ,
        () -> {
          byte[] record = store.get(bytes(key));
          if (record == null) {
            return Status.NOT_FOUND;
          }
          result.putAll(iterators(record, fields));
          return Status.OK;
        });
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB wants these types.
  public Status scan(
      String table,
      String from,
      int count,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return timed(
        Operation.SCAN,
        () -> {
          store.scan(
              bytes(from), count, record -> result.add(new HashMap<>(iterators(record, fields))));
          return Status.OK;
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    Map<String, byte[]> changes = arrays(values);
    return timed(
        Operation.UPDATE,
        () ->
            store.change(bytes(key), record -> RecordCodec.changed(record, changes))
                ? Status.OK
                : Status.NOT_FOUND);
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    Map<String, byte[]> fields = arrays(values);
    return timed(
        Operation.INSERT,
        () -> {
          store.put(bytes(key), RecordCodec.encode(fields));
          return Status.OK;
        });
  }

  @Override
  public Status delete(String table, String key) {
    return timed(
        Operation.DELETE,
        () -> {
          store.delete(bytes(key));
          return Status.OK;
        });
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, ByteIterator> iterators(byte[] record, @Nullable Set<String> fields) {
    Map<String, ByteIterator> found = new HashMap<>();
    RecordCodec.decode(record, fields)
        .forEach((name, value) -> found.put(name, new ByteArrayByteIterator(value)));
    return found;
  }

  private static Map<String, byte[]> arrays(Map<String, ByteIterator> values) {
    Map<String, byte[]> arrays = new HashMap<>();
    values.forEach((name, value) -> arrays.put(name, value.toArray()));
    return arrays;
  }
}
