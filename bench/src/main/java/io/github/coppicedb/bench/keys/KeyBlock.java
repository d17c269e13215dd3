package io.github.coppicedb.bench.keys;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/**
 * Keys that lie one behind the other in memory, as those of a program in C do; each is made an
 * array when it is asked for. Kept as millions of arrays they would be moved by the collector, into
 * any order, and to fetch one would take several times as long as to put it; and the collector's
 * pauses would be those of the benchmark's keys. Immutable.
 */
public final class KeyBlock extends AbstractList<byte[]> implements RandomAccess {
  /** Small enough not to be moved as one huge object of any collector's. */
  private static final int CHUNK_SHIFT = 18;

  private static final int CHUNK = 1 << CHUNK_SHIFT;

  private final byte[][] chunks;
  private final int[] places;
  private final char[] lengths;

  private KeyBlock(byte[][] chunks, int[] places, char[] lengths) {
    this.chunks = chunks;
    this.places = places;
    this.lengths = lengths;
  }

  /** Copies keys of at most 65,535 bytes. */
  public static KeyBlock of(List<byte[]> keys) {
    Builder builder = new Builder(keys.size());
    keys.forEach(builder::add);
    return builder.build();
  }

  /** Returns a new array that holds a key. */
  @Override
  public byte[] get(int index) {
    int place = places[index];
    int from = place & (CHUNK - 1);
    return Arrays.copyOfRange(chunks[place >>> CHUNK_SHIFT], from, from + lengths[index]);
  }

  @Override
  public int size() {
    return places.length;
  }

  /** Takes keys in their order. */
  static final class Builder {
    private final List<byte[]> chunks = new ArrayList<>();
    private final int[] places;
    private final char[] lengths;
    private int count;
    private int used;

    Builder(int size) {
      places = new int[size];
      lengths = new char[size];
    }

    void add(byte[] key) {
      if (chunks.isEmpty() || used + key.length > CHUNK) {
        chunks.add(new byte[CHUNK]);
        used = 0;
      }
      System.arraycopy(key, 0, chunks.getLast(), used, key.length);
      places[count] = Math.addExact(Math.multiplyExact(chunks.size() - 1, CHUNK), used);
      lengths[count++] = (char) key.length;
      used += key.length;
    }

    KeyBlock build() {
      return new KeyBlock(
          chunks.toArray(byte[][]::new),
          Arrays.copyOf(places, count),
          Arrays.copyOf(lengths, count));
    }
  }
}
