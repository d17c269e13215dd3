package io.github.coppicedb.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.tree.MaskedRanges;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A trace answers as the top that it was made of, at every mark. */
final class KeyTraceTest {
  private static final int MAX_LENGTH = 3;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 256})
  void answersAsTheTop(int alphabet) {
    System.out.println("seed " + seed);
    for (int round = 0; round < 60; round++) {
      ArenaTop top = new ArenaTop(true);
      List<Integer> marks = new ArrayList<>(List.of(0));
      for (int i = random.nextInt(60); i > 0; i--) {
        change(top, alphabet);
        marks.add(top.bytes());
      }
      top.publish();
      compare(top, KeyTrace.of(top), marks, alphabet);
    }
  }

  private void change(ArenaTop top, int alphabet) {
    byte[] key = key(alphabet);
    switch (random.nextInt(8)) {
      case 0 -> top.maskRange(key, random.nextInt(4) == 0 ? null : key(alphabet));
      case 1 -> top.putTombstone(key, key.length);
      default -> put(top, key, random.nextInt(20));
    }
  }

  private void compare(ArenaTop top, KeyTrace trace, List<Integer> marks, int alphabet) {
    assertEquals(top.bytes(), trace.bytes());
    assertEquals(top.hasMasks(), trace.hasMasks());
    assertEquals(keys(top), keys(trace));
    for (int mark : marks) {
      for (int i = 0; i < 10; i++) {
        byte[] key = key(alphabet);
        long hash = KeyHash.of(key, key.length);
        boolean changed = top.changedSince(mark, key, key.length, hash);
        assertEquals(changed, trace.changedSince(mark, key, key.length, hash));
        byte[] high = random.nextInt(4) == 0 ? null : key(alphabet);
        if (high == null || Arrays.compareUnsigned(key, high) < 0) {
          MaskedRanges.Range range = new MaskedRanges.Range(key, high);
          assertEquals(top.changedSince(mark, range), trace.changedSince(mark, range));
        }
      }
    }
  }

  private static Set<String> keys(ChangedKeys changes) {
    Set<String> keys = new HashSet<>();
    changes.forEachKey(
        (key, length, hash) -> {
          keys.add(Arrays.toString(Arrays.copyOf(key, length)));
          return true;
        });
    return keys;
  }

  private byte[] key(int alphabet) {
    byte[] key = new byte[random.nextInt(MAX_LENGTH + 1)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) random.nextInt(alphabet);
    }
    return key;
  }

  private static void put(ArenaTop top, byte[] key, int length) {
    top.put(key, key.length, EntryKind.PUT, MemorySegment.ofArray(new byte[length]), 0, length);
  }

  @Test
  void takesNoHeapForValuesAndFormerChanges() {
    ArenaTop top = new ArenaTop(true);
    for (int i = 0; i < 1000; i++) {
      put(top, new byte[] {(byte) (i % 10)}, 5000);
    }
    assertTrue(top.heapBytes() > 5_000_000);
    assertTrue(KeyTrace.of(top).heapBytes() < 1000);
  }
}
