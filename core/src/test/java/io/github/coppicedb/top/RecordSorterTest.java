package io.github.coppicedb.top;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.github.coppicedb.format.EntryKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sorting against the sort of the platform. */
class RecordSorterTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @ParameterizedTest
  @CsvSource({"1, 60", "2, 8", "2, 40", "3, 3", "256, 1", "256, 3", "256, 20", "4, 0", "2, 200"})
  void sortsByKeyThenByOffset(int alphabet, int maxLength) {
    System.out.println("seed " + seed);
    for (int records : new int[] {0, 1, 2, 19, 20, 21, 22, 100, 3000}) {
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < records; i++) {
        byte[] key = new byte[random.nextInt(maxLength + 1)];
        for (int j = 0; j < key.length; j++) {
          int letter = random.nextInt(alphabet);
          key[j] = (byte) (alphabet <= 3 ? -letter : letter);
        }
        // A few prefixes that many share, some of them longer than a word.
        int prefix = Math.min(key.length, new int[] {0, 3, 8, 17}[random.nextInt(4)]);
        Arrays.fill(key, 0, prefix, (byte) 0);
        keys.add(key);
      }
      check(keys);
    }
  }

  @Test
  void sortsLongKeysThatDifferLate() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] key = new byte[60_000 + random.nextInt(100)];
      key[random.nextInt(key.length)] = (byte) random.nextInt(3);
      keys.add(key);
    }
    check(keys);
  }

  @Test
  void sortsManyVersionsOfOneKey() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      keys.add(new byte[random.nextInt(10) == 0 ? random.nextInt(20) : 9]);
    }
    check(keys);
  }

  private static void check(List<byte[]> keys) {
    ArenaTop top = new ArenaTop(false);
    int[] offsets = new int[keys.size()];
    Integer[] expected = new Integer[keys.size()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = top.bytes();
      expected[i] = i;
      top.putTombstone(keys.get(i), keys.get(i).length);
    }
    Arrays.sort(expected, Comparator.comparing(keys::get, Arrays::compareUnsigned));
    int[] sorted = offsets.clone();
    RecordSorter.sort(top.array(), sorted);
    assertArrayEquals(Arrays.stream(expected).mapToInt(i -> offsets[i]).toArray(), sorted);
    int[] again = sorted.clone();
    RecordSorter.sort(top.array(), again);
    assertArrayEquals(sorted, again);
  }

  @Test
  void kindsDoNotCount() {
    ArenaTop top = new ArenaTop(false);
    top.putTombstone(new byte[] {1}, 1);
    int second = top.bytes();
    top.put(new byte[] {0}, 1, EntryKind.PUT, java.lang.foreign.MemorySegment.NULL, 0, 0);
    int[] records = {0, second};
    RecordSorter.sort(top.array(), records);
    assertArrayEquals(new int[] {second, 0}, records);
  }
}
