package io.github.coppicedb.top;

import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.tree.MaskedRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is kept of a top that takes no more changes when its values would take too much heap: the
 * keys and ranges that were changed, each once with the place of its last change, so that the top's
 * marks mean what they meant. Answers exactly as the top does. Immutable.
 */
public final class KeyTrace implements ChangedKeys {
  private static final long MASK_OVERHEAD = 96;

  private record Mask(int offset, MaskedRanges.Range range) {
    long heapBytes() {
      byte[] high = range.high();
      return MASK_OVERHEAD + range.low().length + (high == null ? 0 : high.length);
    }
  }

  // A tombstone for each key, in the order of the keys' last changes.
  private final ArenaTop keys;
  // Where each tombstone is, and where the last change of its key was in the top. Ascending.
  private final int[] places;
  private final int[] offsets;
  // In their order.
  private final List<Mask> masks;
  private final int end;

  private KeyTrace(ArenaTop top, int[] offsets, List<Mask> masks) {
    this.offsets = offsets;
    this.masks = List.copyOf(masks);
    this.end = top.bytes();
    byte[] array = top.array();
    long size = ArenaRecord.SLACK;
    for (int record : offsets) {
      size += ArenaRecord.bytes(ArenaRecord.keyLength(array, record), 0);
    }
    this.keys = new ArenaTop(true, Math.toIntExact(size));
    this.places = new int[offsets.length];
    for (int i = 0; i < offsets.length; i++) {
      places[i] = keys.bytes();
      byte[] key = ArenaRecord.key(array, offsets[i]);
      keys.putTombstone(key, key.length);
    }
  }

  /** Makes the trace of a top that is not written any more. */
  public static KeyTrace of(ArenaTop top) {
    byte[] array = top.array();
    int[] offsets = new int[top.recordsAtMost(top.bytes())];
    int count = 0;
    List<Mask> masks = new ArrayList<>();
    for (int at = 0; at < top.bytes(); at = ArenaRecord.end(array, at)) {
      if (ArenaRecord.kind(array, at) == ArenaTop.MASK) {
        masks.add(new Mask(at, MaskRecord.range(array, at)));
      } else if (isLastChange(top, array, at)) {
        offsets[count++] = at;
      }
    }
    return new KeyTrace(top, Arrays.copyOf(offsets, count), masks);
  }

  private static boolean isLastChange(ArenaTop top, byte[] array, int record) {
    byte[] key = ArenaRecord.key(array, record);
    return top.lastChange(key, key.length, KeyHash.of(key, key.length)) == record;
  }

  @Override
  public int bytes() {
    return end;
  }

  @Override
  public boolean changedSince(int mark, byte[] key, int keyLength, long hash) {
    return keys.changedSince(placeOf(mark), key, keyLength, hash)
        || masks.stream()
            .anyMatch(mask -> mask.offset >= mark && mask.range.contains(key, keyLength));
  }

  @Override
  public boolean changedSince(int mark, MaskedRanges.Range range) {
    return keys.changedSince(placeOf(mark), range)
        || masks.stream().anyMatch(mask -> mask.offset >= mark && mask.range.meets(range));
  }

  /** Returns the place of the first key whose last change was at or after a mark of the top. */
  private int placeOf(int mark) {
    int found = Arrays.binarySearch(offsets, mark);
    int first = found < 0 ? ~found : found;
    return first < places.length ? places[first] : keys.bytes();
  }

  @Override
  public boolean hasMasks() {
    return !masks.isEmpty();
  }

  @Override
  public boolean forEachKey(KeyVisitor visitor) {
    return keys.forEachKey(visitor);
  }

  @Override
  public long heapBytes() {
    return keys.heapBytes()
        + (long) Integer.BYTES * (places.length + offsets.length)
        + masks.stream().mapToLong(Mask::heapBytes).sum();
  }
}
