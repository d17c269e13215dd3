package io.github.coppicedb.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.format.LogFormat;
import io.github.coppicedb.storage.MemoryStorage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The bytes of a log and of a manifest, as they stand in a resource: a change of the format fails
 * here. Files that were written once are also read, since old files must stay readable.
 */
class GoldenBytesTest {
  private static final int BYTES_PER_LINE = 16;

  @Test
  void aLogHasTheBytesItAlwaysHad() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    LogWriter writer =
        LogWriter.create(storage, 42, 0x0123_4567_89AB_CDEFL, 1000, 0x1122_3344_5566_7788L);
    byte[] hello = "hello, log".getBytes(StandardCharsets.US_ASCII);
    writer.append(LogFormat.BATCH, hello, hello.length);
    writer.append(LogFormat.BATCH, new byte[0], 0);
    writer.write();
    writer.force();
    byte[] adopted = LogFormat.adoptPayload(new long[] {7, 300});
    writer.append(LogFormat.ADOPT, adopted, adopted.length);
    writer.write();
    assertEquals(golden("log-v1.hex"), dump(storage.bytes(FileNames.log(42))));
  }

  @Test
  void aLogOfOldIsRead() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    storage.put(FileNames.log(42), parse(golden("log-v1.hex")));
    List<String> frames = new ArrayList<>();
    LogEnd end =
        LogReader.read(
            storage,
            42,
            0x0123_4567_89AB_CDEFL,
            LogFormat.FIRST_FRAME,
            1000,
            (offset, sequence, kind, payload) ->
                frames.add("%d %d %d %d".formatted(offset, sequence, kind, payload.byteSize())));
    assertEquals(List.of("64 1000 1 10", "112 1001 1 0", "144 1002 2 24"), frames);
    assertEquals(new LogEnd(200, 1003, 0), end);
  }

  @Test
  void aManifestHasTheBytesItAlwaysHad() throws IOException {
    byte[] bytes = ManifestCodec.encode(ManifestStoreTest.STATE);
    assertEquals(golden("manifest-v1.hex"), dump(bytes));
    MemoryStorage storage = new MemoryStorage();
    storage.put(FileNames.MANIFEST, parse(golden("manifest-v1.hex")));
    assertEquals(ManifestStoreTest.STATE, ManifestStore.read(storage));
  }

  private static String golden(String name) throws IOException {
    try (InputStream in = GoldenBytesTest.class.getResourceAsStream(name)) {
      assertNotNull(in, name);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Lines of an offset and 16 bytes, all in hexadecimal. */
  private static String dump(byte[] bytes) {
    StringBuilder lines = new StringBuilder();
    for (int at = 0; at < bytes.length; at += BYTES_PER_LINE) {
      int end = Math.min(bytes.length, at + BYTES_PER_LINE);
      lines
          .append("%04x: ".formatted(at))
          .append(HexFormat.ofDelimiter(" ").formatHex(bytes, at, end))
          .append('\n');
    }
    return lines.toString();
  }

  private static byte[] parse(String dump) {
    StringBuilder hex = new StringBuilder();
    dump.lines().forEach(line -> hex.append(line.substring(line.indexOf(':') + 1)));
    return HexFormat.of().parseHex(hex.toString().replace(" ", ""));
  }
}
