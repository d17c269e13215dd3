package io.github.coppicedb.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.coppicedb.Limits;
import io.github.coppicedb.Table;
import io.github.coppicedb.testkit.Blob;
import io.github.coppicedb.testkit.DatabaseFixture;
import io.github.coppicedb.testkit.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values around every border, up to those that no heap should hold. */
final class LargeValueTest {
  private static final int MEGABYTE = 1 << 20;
  private static final byte[] KEY = Keys.text("k");

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      ints = {
        249,
        250,
        251,
        252,
        65_535,
        65_536,
        65_537,
        MEGABYTE - 1,
        MEGABYTE,
        MEGABYTE + 1,
        16 * MEGABYTE + 1
      })
  void valueIsTheSameInAllStates(int length) {
    byte[] value = Blob.decode("r%d.7".formatted(length));
    FourStates.check(
        writer -> writer.put(KEY, Keys.text("small")),
        writer -> {
          writer.put(KEY, value);
          writer.put(Keys.text("l"), value);
        },
        reader -> {
          reader.assertValue(value, KEY);
          reader.assertValue(value, Keys.text("l"));
        });
  }

  /**
   * An open whose merges in memory superseded a value once removed its file, while the log that
   * names it was still what the next open would read.
   */
  @Test
  void fileOfASupersededValueStaysAsLongAsTheLogNamesIt() {
    Settings settings =
        Settings.parse("POWER_SAFE 0 512 1048576 65536 65536 1048576 2048 3 2 3 1 4096 10");
    try (DatabaseFixture fixture = DatabaseFixture.simulated(settings)) {
      Table table = fixture.table("t");
      for (int i = 0; i < 12; i++) {
        byte[] filler = Keys.text("filler " + i);
        byte[] value = Blob.decode("r%d.%d".formatted(i % 4 == 0 ? 3000 : 400, i));
        byte[] key = i % 4 == 0 ? KEY : filler;
        fixture.database().write(tx -> tx.put(table, key, value));
      }
      assertEquals(3, valueFiles(fixture));
      fixture.kill();
      assertEquals(3, valueFiles(fixture));
      fixture.kill();
      fixture.database().check();
      fixture.database().drain();
      assertEquals(1, valueFiles(fixture));
    }
  }

  private static long valueFiles(DatabaseFixture fixture) {
    return fixture.storage().list().stream().filter(name -> name.endsWith(".value")).count();
  }

  @Test
  void overwrittenAndDeletedLargeValuesGiveTheirRoomBack() {
    byte[] value = Blob.decode("r%d.8".formatted(3 * MEGABYTE));
    try (DatabaseFixture fixture = DatabaseFixture.simulated(Settings.tiny())) {
      Table table = fixture.table("t");
      for (int i = 0; i < 8; i++) {
        fixture.database().write(tx -> tx.put(table, KEY, value));
      }
      fixture.database().compact();
      fixture.reopen();
      long used = fixture.storage().usedBytes();
      assertEquals(1, used / (3 * MEGABYTE), () -> used + " bytes for one value of 3 MiB");
      fixture.database().write(tx -> tx.delete(fixture.table("t"), KEY));
      fixture.database().compact();
      fixture.reopen();
      assertEquals(0, fixture.storage().usedBytes() / MEGABYTE);
    }
  }

  @Test
  void tooLongKeysAndValuesAreRefusedBeforeAnythingChanges() throws IOException {
    byte[] key = new byte[Limits.MAX_KEY_BYTES + 1];
    long tooLong = Limits.MAX_VALUE_BYTES + 1L;
    try (Arena arena = Arena.ofConfined();
        RandomAccessFile file = new RandomAccessFile(directory.resolve("holes").toFile(), "rw")) {
      file.setLength(tooLong);
      FileChannel.MapMode mode = FileChannel.MapMode.READ_ONLY;
      MemorySegment value = file.getChannel().map(mode, 0, tooLong, arena);
      FourStates.check(
          writer -> {
            assertThrows(IllegalArgumentException.class, () -> writer.put(key, KEY));
            assertThrows(IllegalArgumentException.class, () -> putBySegment(writer, value));
            writer.put(KEY, KEY);
          },
          reader -> assertEquals(1, reader.keys().size()));
    }
  }

  private static void putBySegment(Writer writer, MemorySegment value) {
    writer.transaction().put(writer.table(), MemorySegment.ofArray(KEY), value);
  }

  @Test
  void valueOfAFileThatIsHalfTheHeap() throws IOException, InterruptedException {
    Path file = directory.resolve("value");
    byte[] part = new byte[MEGABYTE];
    SplittableRandom random = new SplittableRandom(256);
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < 256; i++) {
        random.nextBytes(part);
        out.write(part);
      }
    }
    Path database = directory.resolve("db");
    try (ChildJvm child = ChildJvm.start(512, LargeValueMain.class, database, file)) {
      for (int state = 0; state < 3; state++) {
        assertEquals("same", child.readLine());
      }
      assertEquals(0, child.await());
    }
  }
}
