package io.github.coppicedb.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.StorageFailureException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryStorageTest {
  @TempDir Path directory;
  private DirectoryStorage storage;

  @BeforeEach
  void open() {
    storage = DirectoryStorage.open(directory, true);
  }

  @AfterEach
  void close() {
    storage.close();
  }

  @Test
  void whatIsWrittenIsThere() throws IOException {
    byte[] bytes = text("0123456789");
    try (OutputFile file = storage.create("000001.log")) {
      assertEquals("000001.log", file.name());
      file.write(bytes, 2, 3);
      file.write(MemorySegment.ofArray(bytes).asSlice(5));
      assertEquals(8, file.position());
      file.force();
    }
    storage.forceDirectory();
    assertEquals("23456789", Files.readString(directory.resolve("000001.log")));
    assertEquals(8, storage.size("000001.log"));
    assertEquals(List.of("000001.log"), storage.list());
  }

  @Test
  void aLargeNativeSegmentIsWrittenInPieces() {
    int size = (3 << 20) + 17;
    byte[] expected = new byte[size];
    new Random(7).nextBytes(expected);
    try (Arena arena = Arena.ofConfined();
        OutputFile file = storage.create("000001.value")) {
      MemorySegment source = arena.allocateFrom(ValueLayout.JAVA_BYTE, expected).asReadOnly();
      file.write(source);
      file.write(expected, 1, size - 1);
      assertEquals(2L * size - 1, file.position());
    }
    try (MappedFile mapped = storage.map("000001.value")) {
      MemorySegment segment = mapped.segment();
      assertEquals(-1, segment.asSlice(0, size).mismatch(MemorySegment.ofArray(expected)));
      assertArrayEquals(
          java.util.Arrays.copyOfRange(expected, 1, size),
          segment.asSlice(size).toArray(ValueLayout.JAVA_BYTE));
    }
  }

  @Test
  void heapSegmentsOfOtherElementsAreWritten() throws IOException {
    try (OutputFile file = storage.create("a")) {
      file.write(MemorySegment.ofArray(new int[] {0x01010101, 0x02020202}));
    }
    assertArrayEquals(
        new byte[] {1, 1, 1, 1, 2, 2, 2, 2}, Files.readAllBytes(directory.resolve("a")));
  }

  @Test
  void aMappingIsReadOnlyAndEndsWithClose() {
    write("a", "abc");
    MappedFile mapped = storage.map("a");
    MemorySegment segment = mapped.segment();
    assertEquals("a", mapped.name());
    assertEquals(3, segment.byteSize());
    assertEquals('b', segment.get(ValueLayout.JAVA_BYTE, 1));
    assertTrue(segment.isReadOnly());
    mapped.close();
    mapped.close();
    assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 1));
  }

  @Test
  void anEmptyFileIsAnEmptyMapping() {
    write("a", "");
    try (MappedFile mapped = storage.map("a")) {
      assertEquals(0, mapped.segment().byteSize());
    }
  }

  @Test
  void unmappingWaitsForAReaderOfTheWholeSegment() throws InterruptedException {
    write("a", "x".repeat(4 << 20));
    MappedFile mapped = storage.map("a");
    MemorySegment segment = mapped.segment();
    AtomicBoolean started = new AtomicBoolean();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (true) {
                      java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
                      crc.update(segment.asByteBuffer());
                      started.set(true);
                    }
                  } catch (IllegalStateException e) {
                    assertTrue(started.get(), "unmapped before the first read");
                  }
                });
    while (!started.get()) {
      Thread.onSpinWait();
    }
    mapped.close();
    reader.join();
    assertFalse(segment.scope().isAlive());
  }

  @Test
  void filesAreCutRenamedAndDeleted() throws IOException {
    write("a", "abcdef");
    storage.truncate("a", 4);
    storage.truncate("a", 4);
    assertThrows(IllegalArgumentException.class, () -> storage.truncate("a", 5));
    assertThrows(IllegalArgumentException.class, () -> storage.truncate("a", -1));
    write("b", "old");
    storage.rename("a", "b");
    assertEquals("abcd", Files.readString(directory.resolve("b")));
    assertEquals(List.of("b"), storage.list());
    storage.delete("b");
    storage.delete("b");
    assertEquals(List.of(), storage.list());
  }

  @Test
  void directoriesAndTheLockAreNotListed() throws IOException {
    Files.createDirectory(directory.resolve("lost+found"));
    write("b", "");
    write("a", "");
    assertEquals(List.of("a", "b"), storage.list());
  }

  @Test
  void failuresNameTheFileAndTheReason() {
    write("a", "");
    assertFailure("exists already", () -> storage.create("a"));
    assertFailure("b: it does not exist", () -> storage.map("b"));
    assertFailure("b: it does not exist", () -> storage.size("b"));
    assertFailure("b: it does not exist", () -> storage.truncate("b", 0));
    assertFailure("b: it does not exist", () -> storage.rename("b", "c"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a/b", "/a", "..\\a", "C:a", "a\0b", "LOCK"})
  void namesThatLeaveTheDirectoryAreRefused(String name) {
    assertThrows(IllegalArgumentException.class, () -> storage.create(name));
    assertThrows(IllegalArgumentException.class, () -> storage.map(name));
    assertThrows(IllegalArgumentException.class, () -> storage.size(name));
    assertThrows(IllegalArgumentException.class, () -> storage.truncate(name, 0));
    assertThrows(IllegalArgumentException.class, () -> storage.rename(name, "a"));
    assertThrows(IllegalArgumentException.class, () -> storage.rename("a", name));
    assertThrows(IllegalArgumentException.class, () -> storage.delete(name));
  }

  @Test
  void nothingWorksAfterClose() {
    storage.close();
    storage.close();
    assertThrows(ClosedException.class, () -> storage.create("a"));
    assertThrows(ClosedException.class, () -> storage.list());
    assertThrows(ClosedException.class, () -> storage.forceDirectory());
  }

  @Test
  void aClosedFileRefusesWrites() {
    OutputFile file = storage.create("a");
    file.close();
    file.close();
    assertFailure("a", () -> file.write(new byte[1], 0, 1));
    assertFailure("a", file::force);
  }

  @Test
  void aFileThatFailedOnceFailsForGood() {
    assumeTrue(Files.exists(Path.of("/dev/full")));
    try (OutputFile file = fullDevice()) {
      StorageFailureException e =
          assertThrows(StorageFailureException.class, () -> file.write(new byte[100], 0, 100));
      assertTrue(e.isDiskFull(), e.getMessage());
      assertTrue(String.valueOf(e.getMessage()).contains("no space is left"), e.getMessage());
      assertEquals(0, file.position());
      assertFailure("earlier", () -> file.write(new byte[0], 0, 0));
      assertFailure("earlier", file::force);
    }
  }

  @Test
  void reservedRoomReadsAsZerosAndGoesWithClose() throws IOException {
    OutputFile file = storage.create("a");
    file.write(text("abc"), 0, 3);
    file.reserve(600_000);
    file.reserve(10);
    assertEquals(3, file.position());
    assertEquals(600_003, storage.size("a"));
    file.write(text("def"), 0, 3);
    file.force();
    byte[] expected = java.util.Arrays.copyOf(text("abcdef"), 600_003);
    assertArrayEquals(expected, Files.readAllBytes(directory.resolve("a")));
    file.reserve(700_000);
    assertEquals(700_006, storage.size("a"));
    file.write(new byte[700_001], 0, 700_001);
    assertEquals(700_007, storage.size("a"));
    file.reserve(1);
    file.close();
    file.close();
    assertEquals(700_007, storage.size("a"));
  }

  @Test
  void reservingOnAFullDeviceIsNoFailure() {
    assumeTrue(Files.exists(Path.of("/dev/full")));
    try (OutputFile file = fullDevice()) {
      file.reserve(1000);
      StorageFailureException e =
          assertThrows(StorageFailureException.class, () -> file.write(new byte[1], 0, 1));
      assertTrue(e.isDiskFull(), e.getMessage());
    }
  }

  /** The device that refuses every write for lack of space, under a name in the directory. */
  private OutputFile fullDevice() {
    try {
      Path link = directory.resolve("full");
      Files.createSymbolicLink(link, Path.of("/dev/full"));
      return DirectoryOutputFile.open(link);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void noLockIsLeftWhereThereIsNoDatabase() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertFailure("no database", () -> DirectoryStorage.open(empty, false));
    assertFalse(Files.exists(empty.resolve("LOCK")));
    Files.write(empty.resolve("MANIFEST"), new byte[1]);
    DirectoryStorage.open(empty, false).close();
  }

  @Test
  void missingDirectoriesAreMadeOnlyWhenAsked() {
    Path deep = directory.resolve("x/y/z");
    assertFailure("createIfMissing", () -> DirectoryStorage.open(deep, false));
    assertFalse(Files.exists(directory.resolve("x")));
    DirectoryStorage.open(deep, true).close();
    assertTrue(Files.isDirectory(deep));
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRefused() {
    write("a", "");
    assertFailure("not a directory", () -> DirectoryStorage.open(directory.resolve("a"), true));
    assertFailure("a/b", () -> DirectoryStorage.open(directory.resolve("a/b"), true));
  }

  @Test
  void newFilesAndDirectoriesAreForTheirOwnerOnly() throws IOException {
    assumeTrue(FilePermissions.isPosix(directory));
    Path made = directory.resolve("made");
    try (DirectoryStorage other = DirectoryStorage.open(made, true)) {
      other.create("a").close();
    }
    assertEquals("rwx------", permissions(made));
    assertEquals("rw-------", permissions(made.resolve("a")));
    assertEquals("rw-------", permissions(made.resolve("LOCK")));
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsRefused() throws IOException {
    assumeTrue(FilePermissions.isPosix(directory));
    Path locked = Files.createDirectory(directory.resolve("locked"));
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-x------"));
    assumeTrue(!Files.isWritable(locked), "the user may write everywhere");
    assertFailure("not writable", () -> DirectoryStorage.open(locked, true));
  }

  @Test
  void forcingThroughAChannelIsNotDisturbedByInterrupts() throws IOException {
    write("a", "abc");
    Thread.currentThread().interrupt();
    Forces.forceByChannel(directory.resolve("a"));
    assertTrue(Thread.interrupted());
    assertTrue(Forces.needsChannel("Mac OS X"));
    assertFalse(Forces.needsChannel("Linux"));
    assertFalse(Forces.needsChannel("Windows 11"));
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptedThreadCanDoEverything(boolean virtual) throws Exception {
    Runnable work =
        () -> {
          Thread.currentThread().interrupt();
          useEverything("x");
          assertTrue(Thread.currentThread().isInterrupted(), "interrupt status was lost");
        };
    run(virtual, work);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void interruptsAtAnyMomentAreHarmless(boolean virtual) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Thread worker =
        (virtual ? Thread.ofVirtual() : Thread.ofPlatform())
            .unstarted(
                () -> {
                  for (int i = 0; i < 40; i++) {
                    useEverything("f" + i);
                  }
                  done.set(true);
                });
    worker.start();
    Random random = new Random(3);
    while (worker.isAlive()) {
      worker.interrupt();
      Thread.sleep(0, random.nextInt(400_000));
    }
    assertTrue(done.get());
    storage.create("after").close();
  }

  private static void run(boolean virtual, Runnable work) throws InterruptedException {
    AtomicBoolean done = new AtomicBoolean();
    Runnable noted =
        () -> {
          work.run();
          done.set(true);
        };
    (virtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(noted).join();
    assertTrue(done.get());
  }

  private void useEverything(String name) {
    try (OutputFile file = storage.create(name)) {
      file.write(text("abc"), 0, 3);
      file.force();
    }
    storage.rename(name, name + "2");
    storage.truncate(name + "2", 2);
    storage.forceDirectory();
    try (MappedFile mapped = storage.map(name + "2")) {
      assertEquals('b', mapped.segment().get(ValueLayout.JAVA_BYTE, 1));
    }
    assertEquals(2, storage.size(name + "2"));
    assertTrue(storage.list().contains(name + "2"));
    storage.delete(name + "2");
  }

  private void write(String name, String content) {
    try (OutputFile file = storage.create(name)) {
      byte[] bytes = text(content);
      file.write(bytes, 0, bytes.length);
    }
  }

  private static byte[] text(String content) {
    return content.getBytes(StandardCharsets.UTF_8);
  }

  private static void assertFailure(
      String part, org.junit.jupiter.api.function.Executable executable) {
    StorageFailureException e = assertThrows(StorageFailureException.class, executable);
    assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    assertFalse(e.isDiskFull(), e.getMessage());
  }
}
