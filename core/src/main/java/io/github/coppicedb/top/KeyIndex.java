package io.github.coppicedb.top;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Finds the newest record of a key: an open-addressing hash table with linear probing. A slot is 0
 * when empty, else 32 bits of the key's hash above the record's offset plus one; the same bits give
 * the slot where the search begins, so that the table grows without a look at the records.
 *
 * <p>One writer, any number of readers, no locks. A slot is stored with release semantics after all
 * bytes of its record, and read with acquire semantics: whoever sees a slot sees its record. A full
 * table is copied into one twice as large, which is then published by a volatile store; the old one
 * is never written again. So a table that a reader loads after some record was published has, or
 * once had before a newer record of the same key took its place, a slot for that record, and every
 * slot between it and the begin of its probe sequence is taken: the probe cannot stop early. Slots
 * are emptied only by {@link #remove}, which an index with concurrent readers never does.
 */
final class KeyIndex {
  private static final int MIN_SLOTS = 16;
  private static final int BYTES_PER_SLOT = 32;
  private static final int OFFSET_BITS = 32;
  private static final long OFFSET_MASK = 0xFFFF_FFFFL;

  private volatile AtomicLongArray table;
  private int used;

  /** Makes a table with a number of slots, a power of two of at least 2. */
  KeyIndex(int slots) {
    table = new AtomicLongArray(slots);
  }

  /** Makes a table that need not grow until an arena has about so many bytes of common records. */
  static KeyIndex forArena(int bytes) {
    return new KeyIndex(Math.max(MIN_SLOTS, Integer.highestOneBit(bytes / BYTES_PER_SLOT)));
  }

  /** Returns the bytes of heap that the table takes. */
  long bytes() {
    return 8L * table.length();
  }

  /**
   * Returns the newest record of a key, or {@link ArenaRecord#NONE}. For readers: the arena is
   * asked for its array after the slot was read, so that the array holds the record.
   */
  int newest(ArenaTop arena, byte[] key, int keyLength, long hash) {
    AtomicLongArray slots = table;
    int mask = slots.length() - 1;
    int tag = tag(hash);
    for (int at = home(tag, mask); ; at = at + 1 & mask) {
      long slot = slots.getAcquire(at);
      if (slot == 0) {
        return ArenaRecord.NONE;
      }
      if ((int) (slot >>> OFFSET_BITS) == tag) {
        int record = record(slot);
        if (hasKey(arena.array(), record, key, 0, keyLength)) {
          return record;
        }
      }
    }
  }

  /**
   * Enters a record whose bytes are all written, but not yet its older link: sets that first. For
   * the writer.
   */
  void link(byte[] arena, int record, long hash) {
    AtomicLongArray slots = table;
    int mask = slots.length() - 1;
    int tag = tag(hash);
    int key = ArenaRecord.keyOffset(record);
    int keyLength = ArenaRecord.keyLength(arena, record);
    int at = home(tag, mask);
    int older = ArenaRecord.NONE;
    for (long slot; (slot = slots.getPlain(at)) != 0; at = at + 1 & mask) {
      if ((int) (slot >>> OFFSET_BITS) == tag
          && hasKey(arena, record(slot), arena, key, keyLength)) {
        older = record(slot);
        break;
      }
    }
    ArenaRecord.putOlder(arena, record, older);
    slots.setRelease(at, slot(tag, record));
    if (older == ArenaRecord.NONE && ++used * 3L > slots.length() * 2L) {
      grow();
    }
  }

  /**
   * Takes a record out again that {@link #link} entered, and makes the older one the newest. Among
   * records of one key that are taken out, only the oldest needs to be. Never beside readers.
   */
  void unlink(byte[] arena, int record, long hash) {
    int older = ArenaRecord.older(arena, record);
    AtomicLongArray slots = table;
    int mask = slots.length() - 1;
    int tag = tag(hash);
    int key = ArenaRecord.keyOffset(record);
    int keyLength = ArenaRecord.keyLength(arena, record);
    int at = home(tag, mask);
    for (long slot; (slot = slots.getPlain(at)) != 0; at = at + 1 & mask) {
      if ((int) (slot >>> OFFSET_BITS) == tag
          && hasKey(arena, record(slot), arena, key, keyLength)) {
        if (older == ArenaRecord.NONE) {
          remove(slots, at);
          used--;
        } else {
          slots.setPlain(at, slot(tag, older));
        }
        return;
      }
    }
  }

  /** Empties a slot and moves up those behind it that would be out of reach. */
  private static void remove(AtomicLongArray slots, int at) {
    int mask = slots.length() - 1;
    int hole = at;
    int next = at;
    while (true) {
      next = next + 1 & mask;
      long slot = slots.getPlain(next);
      if (slot == 0) {
        break;
      }
      int home = home((int) (slot >>> OFFSET_BITS), mask);
      if ((next - home & mask) >= (next - hole & mask)) {
        slots.setPlain(hole, slot);
        hole = next;
      }
    }
    slots.setPlain(hole, 0);
  }

  private void grow() {
    AtomicLongArray old = table;
    AtomicLongArray larger = new AtomicLongArray(old.length() * 2);
    int mask = larger.length() - 1;
    for (int i = 0; i < old.length(); i++) {
      long slot = old.getPlain(i);
      if (slot != 0) {
        int at = home((int) (slot >>> OFFSET_BITS), mask);
        while (larger.getPlain(at) != 0) {
          at = at + 1 & mask;
        }
        larger.setPlain(at, slot);
      }
    }
    table = larger;
  }

  private static int tag(long hash) {
    return (int) (hash >>> 32);
  }

  // The low bits of the tag would do as well; the high ones keep the order of a growing table.
  private static int home(int tag, int mask) {
    return tag >>> Integer.numberOfLeadingZeros(mask);
  }

  private static long slot(int tag, int record) {
    return (long) tag << OFFSET_BITS | record + 1L;
  }

  private static int record(long slot) {
    return (int) (slot & OFFSET_MASK) - 1;
  }

  private static boolean hasKey(byte[] arena, int record, byte[] key, int from, int length) {
    int at = ArenaRecord.keyOffset(record);
    return ArenaRecord.keyLength(arena, record) == length
        && Arrays.equals(arena, at, at + length, key, from, from + length);
  }
}
