package io.github.coppicedb.bench.keys;

/**
 * Tells keys that were not seen before, by 64-bit hashes: of a million million pairs one is taken
 * for equal, which costs a key, not a result. One thread.
 */
final class DistinctKeys {
  private static final int FIRST_SLOTS = 1 << 12;

  private long[] slots = new long[FIRST_SLOTS];
  private int used;

  /** Returns whether the key is new, and remembers it. */
  boolean add(byte[] key) {
    if (used * 2 >= slots.length) {
      grow();
    }
    long hash = hash(key);
    int slot = find(slots, hash);
    if (slots[slot] == hash) {
      return false;
    }
    slots[slot] = hash;
    used++;
    return true;
  }

  boolean contains(byte[] key) {
    long hash = hash(key);
    return slots[find(slots, hash)] == hash;
  }

  private static int find(long[] slots, long hash) {
    int slot = (int) hash & (slots.length - 1);
    while (slots[slot] != 0 && slots[slot] != hash) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private void grow() {
    long[] larger = new long[slots.length * 2];
    for (long hash : slots) {
      if (hash != 0) {
        larger[find(larger, hash)] = hash;
      }
    }
    slots = larger;
  }

  /** FNV-1a, and the finish of SplitMix64 so that all bits count; never 0. */
  private static long hash(byte[] key) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : key) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    hash ^= hash >>> 31;
    return hash == 0 ? 1 : hash;
  }
}
