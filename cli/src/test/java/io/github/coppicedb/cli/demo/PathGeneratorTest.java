package io.github.coppicedb.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class PathGeneratorTest {
  private static final int COUNT = 100_000;

  @Test
  void pathsAreDistinctAndOfTheLengthOfPaths() {
    PathGenerator paths = new PathGenerator(7);
    Set<String> seen = new HashSet<>();
    long bytes = 0;
    for (int i = 0; i < COUNT; i++) {
      String path = new String(paths.next(), StandardCharsets.UTF_8);
      assertTrue(path.startsWith("/usr/"), path);
      assertTrue(seen.add(path), path);
      bytes += path.length();
    }
    assertTrue(bytes / COUNT >= 45 && bytes / COUNT <= 75, "mean length " + bytes / COUNT);
  }

  @Test
  void theSeedSaysItAll() {
    assertEquals(checksum(1), checksum(1));
    assertTrue(checksum(1) != checksum(2));
  }

  /** Benchmarks are compared over versions and machines, so these keys must never change. */
  @Test
  void theKeysOfASeedNeverChange() {
    assertEquals(3_447_702_011L, checksum(1));
  }

  private static long checksum(long seed) {
    PathGenerator paths = new PathGenerator(seed);
    CRC32C sum = new CRC32C();
    for (int i = 0; i < COUNT; i++) {
      sum.update(paths.next());
    }
    return sum.getValue();
  }
}
