package io.github.coppicedb.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.tree.EntryValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The index by itself: growth, removal, and keys that have the same bits of hash. */
class KeyIndexTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void whatIsTakenOutLeavesAllOthersInReach() {
    System.out.println("seed " + seed);
    for (int round = 0; round < 20; round++) {
      ArenaTop top = new ArenaTop(false);
      KeyIndex index = new KeyIndex(2);
      Map<Integer, Integer> newest = new HashMap<>();
      List<Integer> records = new ArrayList<>();
      for (int step = 0; step < 3000; step++) {
        int number = random.nextInt(700);
        boolean grows = random.nextInt(5) > 0 || records.isEmpty();
        if (grows) {
          records.add(top.bytes());
          top.putTombstone(key(number), Integer.BYTES);
          index.link(top.array(), records.getLast(), hash(number));
          newest.put(number, records.getLast());
        } else {
          takeOutLast(top, index, newest, records.removeLast());
        }
        if (step % 97 == 0) {
          check(top, index, newest);
        }
      }
      check(top, index, newest);
    }
  }

  private static void takeOutLast(
      ArenaTop top, KeyIndex index, Map<Integer, Integer> newest, int record) {
    int number = ByteBuffer.wrap(ArenaRecord.key(top.array(), record)).getInt();
    int older = ArenaRecord.older(top.array(), record);
    index.unlink(top.array(), record, hash(number));
    if (older == ArenaRecord.NONE) {
      newest.remove(number);
    } else {
      newest.put(number, older);
    }
  }

  private static void check(ArenaTop top, KeyIndex index, Map<Integer, Integer> newest) {
    for (int number = 0; number < 710; number++) {
      int expected = newest.getOrDefault(number, ArenaRecord.NONE);
      assertEquals(expected, index.newest(top, key(number), Integer.BYTES, hash(number)));
    }
  }

  @Test
  void keysWithTheSameBitsOfHashAreToldApart() {
    Map<Integer, Integer> byTag = new HashMap<>();
    int pairs = 0;
    for (int number = 0; number < 400_000 && pairs < 3; number++) {
      Integer other = byTag.put((int) (hash(number) >>> 32), number);
      if (other != null) {
        checkPair(number, other);
        pairs++;
      }
    }
    assertEquals(3, pairs);
  }

  private static void checkPair(int first, int second) {
    ArenaTop top = new ArenaTop(true);
    top.putTombstone(key(first), Integer.BYTES);
    top.publish();
    assertTrue(isThere(top, first));
    assertFalse(isThere(top, second));
    top.putTombstone(key(second), Integer.BYTES);
    assertFalse(isThere(top, second));
    top.publish();
    assertTrue(isThere(top, first));
    assertTrue(isThere(top, second));
  }

  private static boolean isThere(ArenaTop top, int number) {
    TopView view = top.view(top.mark());
    return view.find(key(number), Integer.BYTES, hash(number), new EntryValue());
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private static long hash(int number) {
    return KeyHash.of(key(number), Integer.BYTES);
  }
}
