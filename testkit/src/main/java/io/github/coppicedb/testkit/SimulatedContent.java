package io.github.coppicedb.testkit;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;

/**
 * The bytes of one simulated file, twice: as the operating system shows them, and as they would be
 * found after a power cut. Sectors of 512 bytes that differ are <em>dirty</em>; a power cut keeps,
 * loses or tears each of them on its own. Not thread-safe: guarded by its storage.
 *
 * <p>Invariant: a sector that is not dirty, and not lost by a failed force, is the same in both.
 */
final class SimulatedContent {
  static final int SECTOR = 512;

  private byte[] bytes = {};
  private int length;
  private byte[] durable = {};
  private int durableLength;
  private final BitSet dirty = new BitSet();

  /** How a power cut treats the dirty sectors of a file. */
  private enum Pattern {
    LOSE_ALL,
    KEEP_ALL,
    KEEP_FIRST,
    ANY
  }

  /** Makes a file whose bytes are durable. */
  static SimulatedContent durable(byte[] bytes) {
    SimulatedContent content = new SimulatedContent();
    content.set(bytes);
    return content;
  }

  private void set(byte[] newBytes) {
    bytes = newBytes.clone();
    length = newBytes.length;
    durable = newBytes.clone();
    durableLength = newBytes.length;
    dirty.clear();
  }

  SimulatedContent copy() {
    SimulatedContent copy = new SimulatedContent();
    copy.bytes = bytes.clone();
    copy.length = length;
    copy.durable = durable.clone();
    copy.durableLength = durableLength;
    copy.dirty.or(dirty);
    return copy;
  }

  int length() {
    return length;
  }

  byte[] bytes() {
    return Arrays.copyOf(bytes, length);
  }

  /** Returns how many bytes a force would bring to the device. */
  long dirtyBytes() {
    return (long) dirty.cardinality() * SECTOR;
  }

  void write(int offset, byte[] source, int from, int count) {
    int end = Math.addExact(offset, count);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
    }
    System.arraycopy(source, from, bytes, offset, count);
    length = Math.max(length, end);
    markDirty(offset, end);
  }

  private void markDirty(int from, int to) {
    if (from < to) {
      dirty.set(from / SECTOR, (to - 1) / SECTOR + 1);
    }
  }

  /** Cuts unused room off, not durably. */
  void cut(int newLength) {
    Arrays.fill(bytes, newLength, length, (byte) 0);
    length = newLength;
    dirty.clear(sectors(newLength), sectors(Integer.MAX_VALUE - SECTOR));
  }

  private static int sectors(int count) {
    return (count + SECTOR - 1) / SECTOR;
  }

  /** Brings the dirty sectors and the length to the device. */
  void force() {
    if (durable.length < length) {
      durable = Arrays.copyOf(durable, bytes.length);
    }
    for (int s = dirty.nextSetBit(0); s >= 0; s = dirty.nextSetBit(s + 1)) {
      int from = s * SECTOR;
      System.arraycopy(bytes, from, durable, from, Math.min(SECTOR, length - from));
    }
    if (length < durableLength) {
      Arrays.fill(durable, length, durableLength, (byte) 0);
    }
    durableLength = length;
    dirty.clear();
  }

  /** A failed force: the operating system thinks the sectors clean, but they are not there. */
  void loseDirty() {
    dirty.clear();
  }

  /** Cuts a file durably. */
  void truncate(int newLength) {
    cut(newLength);
    force();
  }

  void flipBit(long bit) {
    int at = Math.toIntExact(bit >> 3);
    if (at >= length) {
      throw new IllegalArgumentException("the file has %d bytes, no byte %d".formatted(length, at));
    }
    bytes[at] ^= (byte) (1 << (bit & 7));
    if (at < durableLength) {
      durable[at] ^= (byte) (1 << (bit & 7));
    }
  }

  /**
   * Returns the bytes that a power cut leaves.
   *
   * @param stale what a sector may show that was given to the file but never written
   */
  byte[] afterPowerCut(Random random, byte[] stale) {
    Pattern pattern = Pattern.values()[random.nextInt(Pattern.values().length)];
    byte[] left = Arrays.copyOf(durable, lengthAfterPowerCut(pattern, random));
    Arrays.fill(left, Math.min(left.length, durableLength), left.length, (byte) 0);
    boolean showsStale = random.nextInt(4) == 0;
    int kept = random.nextInt(dirty.cardinality() + 1);
    for (int s = dirty.nextSetBit(0); s >= 0; s = dirty.nextSetBit(s + 1)) {
      int from = s * SECTOR;
      if (from >= left.length) {
        break;
      }
      if (showsStale && from >= durableLength) {
        copy(stale, from, left, SECTOR);
      }
      copy(bytes, from, left, keptBytes(pattern, random, kept--));
    }
    return left;
  }

  private int lengthAfterPowerCut(Pattern pattern, Random random) {
    return switch (pattern) {
      case LOSE_ALL -> random.nextBoolean() ? durableLength : length;
      case KEEP_ALL, KEEP_FIRST -> length;
      case ANY -> {
        int low = Math.min(length, durableLength);
        yield low + random.nextInt(Math.max(length, durableLength) - low + 1);
      }
    };
  }

  private static int keptBytes(Pattern pattern, Random random, int keptLeft) {
    return switch (pattern) {
      case LOSE_ALL -> 0;
      case KEEP_ALL -> SECTOR;
      case KEEP_FIRST -> keptLeft > 0 ? SECTOR : 0;
      case ANY ->
          switch (random.nextInt(5)) {
            case 0, 1 -> SECTOR;
            case 2, 3 -> 0;
            default -> random.nextInt(SECTOR);
          };
    };
  }

  private static void copy(byte[] from, int at, byte[] to, int most) {
    int count = Math.min(most, Math.min(from.length, to.length) - at);
    if (count > 0) {
      System.arraycopy(from, at, to, at, count);
    }
  }
}
