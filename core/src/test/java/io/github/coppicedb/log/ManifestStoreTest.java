package io.github.coppicedb.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.UnsupportedFormatException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.Checksum;
import io.github.coppicedb.format.FileHead;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.format.ManifestFormat;
import io.github.coppicedb.storage.DirectoryStorage;
import io.github.coppicedb.storage.MemoryStorage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestStoreTest {
  static final ManifestState STATE =
      new ManifestState(
          0x0123_4567_89AB_CDEFL,
          100,
          42,
          4096,
          77,
          List.of(
              List.of(List.of(50L), List.of(48L, 47L)),
              List.of(),
              List.of(List.of(3L, 1L, 2L), List.of())));

  @TempDir Path directory;

  @Test
  void whatIsWrittenIsRead() {
    try (DirectoryStorage storage = DirectoryStorage.open(directory, true)) {
      assertNull(ManifestStore.read(storage));
      ManifestStore.write(storage, STATE);
      assertEquals(STATE, ManifestStore.read(storage));
      ManifestState next = new ManifestState(1, 1, 0, 64, 0, List.of());
      storage.create(FileNames.MANIFEST_TMP).close();
      ManifestStore.write(storage, next);
      assertEquals(next, ManifestStore.read(storage));
      assertEquals(List.of(FileNames.MANIFEST), storage.list());
    }
  }

  @Test
  void aLeftOverTemporaryIsNoManifest() {
    MemoryStorage storage = new MemoryStorage();
    storage.put(FileNames.MANIFEST_TMP, ManifestCodec.encode(STATE));
    assertNull(ManifestStore.read(storage));
  }

  @Test
  void everyFlippedBitIsRefused() {
    byte[] bytes = ManifestCodec.encode(STATE);
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit >> 3] ^= (byte) (1 << (bit & 7));
      CorruptionException e = assertDamaged(flipped);
      assertEquals(FileNames.MANIFEST, e.file());
    }
  }

  @Test
  void everyCutAndEveryMoreByteIsRefused() {
    byte[] bytes = ManifestCodec.encode(STATE);
    for (int length = 0; length < bytes.length; length++) {
      assertDamaged(Arrays.copyOf(bytes, length));
    }
    assertDamaged(Arrays.copyOf(bytes, bytes.length + 1));
  }

  @Test
  void aNewerVersionIsRefusedWithTheVersionThatIsNeeded() {
    byte[] bytes = ManifestCodec.encode(STATE);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    Bytes.put32(segment, FileHead.VERSION, 9);
    FileHead.seal(segment);
    UnsupportedFormatException e =
        assertThrows(UnsupportedFormatException.class, () -> read(bytes));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("MANIFEST has format 9"), message);
    assertTrue(message.contains("a version that reads format 9"), message);
  }

  @Test
  void anotherKindOfFileIsRefused() {
    byte[] bytes = ManifestCodec.encode(STATE);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    Bytes.put64(segment, FileHead.MAGIC, 5);
    FileHead.seal(segment);
    assertThrows(UnsupportedFormatException.class, () -> read(bytes));
  }

  @Test
  void impossibleNumbersWithRightChecksumsAreRefused() {
    byte[] bytes = ManifestCodec.encode(STATE);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    int end = bytes.length - ManifestFormat.LEVELS_CRC_BYTES;
    for (int at = ManifestFormat.LEVELS; at + 4 <= end; at += 4) {
      for (int value : new int[] {-1, Integer.MAX_VALUE, 0, 1, 2, 101, 1 << 28}) {
        int before = Bytes.i32(segment, at);
        Bytes.put32(segment, at, value);
        int length = end - ManifestFormat.LEVELS;
        Bytes.put32(segment, end, Checksum.crc32c(segment, ManifestFormat.LEVELS, length));
        readOrRefuse(bytes);
        Bytes.put32(segment, at, before);
      }
    }
  }

  /** Some changed numbers still make a manifest; any other end than these two is a fault. */
  private static void readOrRefuse(byte[] bytes) {
    try {
      read(bytes);
    } catch (CorruptionException e) {
      assertEquals(FileNames.MANIFEST, e.file());
    }
  }

  @Test
  void impossibleStatesAreRefused() {
    assertImpossible(() -> new ManifestState(1, 5, 5, 64, 0, List.of()));
    assertImpossible(() -> new ManifestState(1, 5, -1, 64, 0, List.of()));
    assertImpossible(() -> new ManifestState(1, 5, 1, 63, 0, List.of()));
    assertImpossible(() -> new ManifestState(1, 5, 1, 64, -1, List.of()));
    assertImpossible(() -> new ManifestState(1, 5, 1, 64, 0, List.of(List.of(List.of(1L)))));
    assertImpossible(() -> new ManifestState(1, 5, 1, 64, 0, List.of(List.of(List.of(2L, 2L)))));
    assertImpossible(() -> new ManifestState(1, 5, 1, 64, 0, List.of(List.of(List.of(5L)))));
  }

  private static void assertImpossible(org.junit.jupiter.api.function.Executable executable) {
    assertThrows(IllegalArgumentException.class, executable);
  }

  private static CorruptionException assertDamaged(byte[] bytes) {
    return assertThrows(CorruptionException.class, () -> read(bytes));
  }

  private static void read(byte[] bytes) {
    MemoryStorage storage = new MemoryStorage();
    storage.put(FileNames.MANIFEST, bytes);
    ManifestStore.read(storage);
  }
}
