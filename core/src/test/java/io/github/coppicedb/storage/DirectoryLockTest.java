package io.github.coppicedb.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.LockedException;
import io.github.coppicedb.StorageFailureException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLockTest {
  @TempDir Path directory;

  @Test
  void aSecondOpenInThisProcessIsRefusedAndNamesTheHolder() {
    try (DirectoryStorage first = DirectoryStorage.open(directory, true)) {
      String message = assertLocked(directory);
      assertTrue(message.contains("this process"), message);
      assertTrue(message.contains("pid " + ProcessHandle.current().pid()), message);
      assertTrue(message.contains("since 20"), message);
      assertTrue(message.contains("host "), message);
      assertTrue(first.list().isEmpty());
    }
    DirectoryStorage.open(directory, true).close();
  }

  @Test
  void anotherPathToTheSameDirectoryIsRefused() throws IOException {
    Path target = Files.createDirectory(directory.resolve("target"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), target);
    DirectoryStorage first = DirectoryStorage.open(target, true);
    assertLocked(link);
    assertLocked(target.resolve("..").resolve("target"));
    first.close();
    DirectoryStorage.open(link, true).close();
  }

  @Test
  void aRefusedOpenDoesNotDropTheLock() throws Exception {
    try (DirectoryStorage first = DirectoryStorage.open(directory, true)) {
      assertLocked(directory);
      assertTrue(first.list().isEmpty());
      Process other = startHolder();
      assertEquals("", read(other.getInputStream()));
      String error = read(other.getErrorStream());
      assertTrue(error.contains("LockedException"), error);
      assertTrue(error.contains("another process"), error);
      assertTrue(error.contains("pid " + ProcessHandle.current().pid()), error);
    }
  }

  @Test
  void aDirectoryHeldByAnotherProcessIsRefusedUntilThatIsKilled() throws Exception {
    Process other = startHolder();
    assertNotNull(other.inputReader().readLine());
    String message = assertLocked(directory);
    assertTrue(message.contains("another process"), message);
    assertTrue(message.contains("pid " + other.pid()), message);
    assertLocked(directory);
    other.destroyForcibly().waitFor();
    assertTrue(Files.readString(directory.resolve("LOCK")).contains("pid " + other.pid()));
    DirectoryStorage.open(directory, true).close();
  }

  @Test
  void aLeftOverLockFileNeverBlocks() throws IOException {
    Files.writeString(directory.resolve("LOCK"), "pid 1, host elsewhere, since ever");
    try (DirectoryStorage storage = DirectoryStorage.open(directory, true)) {
      String text = Files.readString(directory.resolve("LOCK"));
      assertTrue(text.contains("pid " + ProcessHandle.current().pid()), text);
      assertTrue(storage.list().isEmpty());
    }
  }

  @Test
  void ofManyThreadsOneGetsTheLock() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      AtomicInteger opened = new AtomicInteger();
      AtomicInteger refused = new AtomicInteger();
      CountDownLatch tried = new CountDownLatch(4);
      Thread[] threads = new Thread[4];
      for (int i = 0; i < threads.length; i++) {
        threads[i] = Thread.ofPlatform().start(() -> openOnce(opened, refused, tried));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(1, opened.get());
      assertEquals(3, refused.get());
    }
  }

  private void openOnce(AtomicInteger opened, AtomicInteger refused, CountDownLatch tried) {
    try (DirectoryStorage storage = DirectoryStorage.open(directory, true)) {
      opened.incrementAndGet();
      tried.countDown();
      tried.await();
      assertNotNull(storage.location());
    } catch (LockedException e) {
      refused.incrementAndGet();
      tried.countDown();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anOpenInAnInterruptedThreadHoldsTheLock() throws Exception {
    Thread.currentThread().interrupt();
    try (DirectoryStorage storage = DirectoryStorage.open(directory.resolve("new/deep"), true)) {
      storage.create("a").close();
      assertTrue(Thread.interrupted());
      Process other = startHolder(directory.resolve("new/deep"));
      String error = read(other.getErrorStream());
      assertTrue(error.contains("LockedException"), error);
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void aFailedOpenLeavesNothingLocked() throws IOException {
    Path lockIsDirectory = Files.createDirectories(directory.resolve("bad/LOCK"));
    assertThrows(
        StorageFailureException.class, () -> DirectoryStorage.open(directory.resolve("bad"), true));
    Files.delete(lockIsDirectory);
    DirectoryStorage.open(directory.resolve("bad"), true).close();
  }

  private static String assertLocked(Path path) {
    return String.valueOf(
        assertThrows(LockedException.class, () -> DirectoryStorage.open(path, true)).getMessage());
  }

  private static String read(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  private Process startHolder() throws IOException {
    return startHolder(directory);
  }

  private static Process startHolder(Path held) throws IOException {
    String java = ProcessHandle.current().info().command().orElseThrow();
    String classPath = System.getProperty("java.class.path");
    return new ProcessBuilder(
            java,
            "-Xshare:auto",
            "-Xmx32m",
            "-cp",
            classPath,
            LockHolderMain.class.getName(),
            held.toString())
        .start();
  }
}
