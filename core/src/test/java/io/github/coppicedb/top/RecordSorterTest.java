package io.github.coppicedb.top;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.coppicedb.format.EntryKind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sorting records, and what neighbours share, against the plainest way to find both. */
class RecordSorterTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @ParameterizedTest
  @CsvSource({
    "1, 60", "2, 8", "2, 40", "3, 3", "256, 1", "256, 3", "256, 20", "4, 0", "2, 200", "26, 12"
  })
  void sortsByKeyThenByOffset(int alphabet, int maxLength) {
    System.out.println("seed " + seed);
    for (int records : new int[] {0, 1, 2, 3, 4, 16, 17, 100, 3000}) {
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
  void sortsManySmallSets() {
    System.out.println("seed " + seed);
    for (int round = 0; round < 30_000; round++) {
      int alphabet = 1 + random.nextInt(3);
      int maxLength = random.nextInt(round % 2 == 0 ? 4 : 30);
      List<byte[]> keys = new ArrayList<>();
      for (int i = random.nextInt(9); i > 0; i--) {
        byte[] key = new byte[random.nextInt(maxLength + 1)];
        for (int j = 0; j < key.length; j++) {
          // Mostly zeros, which padding looks like.
          key[j] = (byte) -(random.nextInt(4) / 3 * random.nextInt(alphabet));
        }
        keys.add(key);
      }
      check(keys);
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "7", "8", "9", "20", "63", "64", "70"})
  void sortsBehindALongPrefix(int prefix) {
    System.out.println("seed " + seed);
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      byte[] key = new byte[prefix + random.nextInt(5)];
      Arrays.fill(key, (byte) 'p');
      for (int j = prefix; j < key.length; j++) {
        key[j] = (byte) new int[] {0, 'p', 255}[random.nextInt(3)];
      }
      keys.add(key);
    }
    check(keys);
  }

  @Test
  void sortsLongKeysThatDifferLate() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] key = new byte[65_000 + random.nextInt(100)];
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

  @Test
  void turnsRoundWhatDescends() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 999; i >= 0; i--) {
      keys.add(Integer.toString(1_000_000 + i * i).getBytes(UTF_8));
    }
    check(keys);
    keys.add(keys.getLast());
    check(keys);
    keys.add(keys.getFirst());
    check(keys);
  }

  private static void check(List<byte[]> keys) {
    ArenaTop top = new ArenaTop(false);
    int[] offsets = new int[keys.size()];
    Integer[] order = new Integer[keys.size()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = top.bytes();
      order[i] = i;
      top.putTombstone(keys.get(i), keys.get(i).length);
    }
    Arrays.sort(order, Comparator.comparing(keys::get, Arrays::compareUnsigned));
    int[] expected = Arrays.stream(order).mapToInt(i -> offsets[i]).toArray();
    int[] shared = new int[order.length];
    for (int i = 1; i < order.length; i++) {
      shared[i] = Arrays.mismatch(keys.get(order[i - 1]), keys.get(order[i]));
    }
    for (int hint : new int[] {0, 1, keys.size(), 5000}) {
      SortedRecords sorted = SortedRecords.of(top.array(), 0, top.bytes(), hint);
      assertArrayEquals(expected, sorted.records());
      assertArrayEquals(shared, sorted.shared());
    }
    SortedRecords again = SortedRecords.of(top.array(), expected);
    assertArrayEquals(expected, again.records());
    assertArrayEquals(shared, again.shared());
  }

  @Test
  void kindsAndValuesDoNotCount() {
    ArenaTop top = new ArenaTop(false);
    top.putTombstone(new byte[] {1}, 1);
    int second = top.bytes();
    MemorySegment value = MemorySegment.ofArray(new byte[10_000]);
    top.put(new byte[] {0}, 1, EntryKind.PUT, value, 0, value.byteSize());
    int third = top.bytes();
    top.put(new byte[] {1, 0}, 2, EntryKind.PUT, value, 0, 0);
    SortedRecords sorted = SortedRecords.of(top.array(), 0, top.bytes(), 3);
    assertArrayEquals(new int[] {second, 0, third}, sorted.records());
    assertArrayEquals(new int[] {0, 0, 1}, sorted.shared());
  }

  @Test
  void masksAreLeftOut() {
    ArenaTop top = new ArenaTop(false);
    top.maskRange(new byte[] {1}, new byte[] {2});
    assertEquals(0, SortedRecords.of(top.array(), 0, top.bytes(), 1).records().length);
  }
}
