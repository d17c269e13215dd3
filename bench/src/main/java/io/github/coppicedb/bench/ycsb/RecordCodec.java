package io.github.coppicedb.bench.ycsb;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a record as bytes, the same for both engines: for each its name and its value, each
 * with its length, a big-endian int, before it. Stateless.
 */
final class RecordCodec {
  private RecordCodec() {}

  static byte[] encode(Map<String, byte[]> fields) {
    List<byte[]> parts = new ArrayList<>();
    fields.forEach(
        (name, value) -> {
          parts.add(name.getBytes(StandardCharsets.UTF_8));
          parts.add(value);
        });
    int size = parts.stream().mapToInt(part -> Integer.BYTES + part.length).sum();
    ByteBuffer record = ByteBuffer.allocate(size);
    parts.forEach(part -> record.putInt(part.length).put(part));
    return record.array();
  }

  /** Returns the fields of a record, those asked for; null asks for all. */
  static Map<String, byte[]> decode(byte[] record, @Nullable Set<String> wanted) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    ByteBuffer rest = ByteBuffer.wrap(record);
    while (rest.hasRemaining()) {
      String name = new String(part(rest), StandardCharsets.UTF_8);
      byte[] value = part(rest);
      if (wanted == null || wanted.contains(name)) {
        fields.put(name, value);
      }
    }
    return fields;
  }

  private static byte[] part(ByteBuffer rest) {
    byte[] part = new byte[rest.getInt()];
    rest.get(part);
    return part;
  }

  /** Returns a record with some of its fields changed. */
  static byte[] changed(byte[] record, Map<String, byte[]> changes) {
    Map<String, byte[]> fields = decode(record, null);
    fields.putAll(changes);
    return encode(fields);
  }
}
