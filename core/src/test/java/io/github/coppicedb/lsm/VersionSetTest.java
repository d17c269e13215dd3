package io.github.coppicedb.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.top.ArenaTop;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long versions, and the files that only they refer to, stay. */
final class VersionSetTest {
  private static final Background INLINE = new Background("test", 0);

  private final Version first = version();
  private final VersionSet versions = new VersionSet(INLINE, first);

  private static Version version() {
    return new Version(Epoch.of(new ArenaTop(true, 64)), List.of(), Levels.NONE);
  }

  /** A file that some versions need. */
  private static final class File implements Retired {
    private final List<Version> needing;
    private volatile boolean gone;

    File(Version... needing) {
      this.needing = List.of(needing);
    }

    @Override
    public boolean neededBy(Version version) {
      return needing.contains(version);
    }

    @Override
    public void dispose() {
      assertFalse(gone, "disposed of twice");
      gone = true;
    }
  }

  @Test
  void aHeldVersionOutlivesItsSuccessors() {
    Version held = versions.acquire();
    assertSame(first, held);
    Version second = version();
    versions.publish(second);
    assertSame(second, versions.current());
    assertEquals(2, versions.count());
    versions.release(held);
    assertEquals(1, versions.count());
    assertFalse(held.retain());
    assertSame(second, versions.acquire());
  }

  @Test
  void aVersionThatNobodyHoldsGoesWhenItIsSucceeded() {
    versions.publish(version());
    assertEquals(1, versions.count());
    assertFalse(first.retain());
  }

  @Test
  void aFileGoesAtOnceWhenNoVersionNeedsIt() {
    File unneeded = new File(version());
    File needed = new File(first);
    versions.retire(List.of(unneeded, needed));
    assertTrue(unneeded.gone);
    assertFalse(needed.gone);
    versions.publish(version());
    assertTrue(needed.gone);
  }

  @Test
  void aFileGoesWithTheLastVersionThatNeedsIt() {
    Version second = version();
    Version oldest = versions.acquire();
    versions.publish(second);
    Version older = versions.acquire();
    versions.publish(version());
    File ofBoth = new File(first, second);
    File ofSecond = new File(second);
    versions.retire(List.of(ofBoth, ofSecond));
    versions.release(older);
    assertTrue(ofSecond.gone);
    assertFalse(ofBoth.gone);
    versions.release(oldest);
    assertTrue(ofBoth.gone);
  }

  @Test
  void everyHolderCounts() {
    versions.acquire();
    versions.acquire();
    versions.publish(version());
    File file = new File(first);
    versions.retire(List.of(file));
    versions.release(first);
    assertFalse(file.gone);
    versions.release(first);
    assertTrue(file.gone);
  }

  @Test
  void whatIsKeptStaysWithoutEverBeingCurrent() {
    Version kept = versions.keep(List.of());
    assertSame(first, versions.current());
    File file = new File(kept);
    versions.retire(List.of(file));
    versions.publish(version());
    assertFalse(file.gone);
    versions.release(kept);
    assertTrue(file.gone);
  }

  /** Random publications, holds and retirements, one after the other, against a plain list. */
  @RepeatedTest(10)
  void filesGoExactlyWhenNobodyNeedsThem() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<Version> holds = new ArrayList<>();
    List<File> files = new ArrayList<>();
    Version current = first;
    for (int i = 0; i < 500; i++) {
      switch (random.nextInt(4)) {
        case 0 -> {
          Version old = current;
          current = version();
          versions.publish(current);
          File file = new File(old);
          files.add(file);
          versions.retire(List.of(file));
        }
        case 1 -> holds.add(versions.acquire());
        default -> {
          if (!holds.isEmpty()) {
            versions.release(holds.remove(random.nextInt(holds.size())));
          }
        }
      }
      assertEquals(
          files.stream().filter(file -> holds.stream().noneMatch(file::neededBy)).toList(),
          files.stream().filter(file -> file.gone).toList());
    }
  }

  /** Readers hold the current version while it is replaced: its file must not go meanwhile. */
  @Test
  @Timeout(60)
  void noFileGoesUnderAReader() throws InterruptedException {
    List<Thread> readers = new ArrayList<>();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    AtomicBoolean end = new AtomicBoolean();
    Queue<File> retired = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < 3; i++) {
      readers.add(Thread.ofPlatform().start(() -> read(end, retired, failures)));
    }
    for (int i = 0; i < 2000; i++) {
      Version old = versions.current();
      versions.publish(version());
      File file = new File(old);
      retired.add(file);
      versions.retire(List.of(file));
    }
    end.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertEquals(List.of(), List.copyOf(failures));
    assertEquals(1, versions.count());
    assertTrue(retired.stream().allMatch(file -> file.gone));
  }

  private void read(AtomicBoolean end, Queue<File> retired, Queue<Throwable> failures) {
    try {
      while (!end.get()) {
        Version version = versions.acquire();
        for (File file : retired) {
          assertFalse(file.gone && file.neededBy(version));
        }
        retired.removeIf(file -> file.gone);
        versions.release(version);
      }
    } catch (Throwable e) {
      failures.add(e);
    }
  }
}
