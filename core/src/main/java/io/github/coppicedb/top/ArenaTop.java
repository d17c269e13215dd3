package io.github.coppicedb.top;

import io.github.coppicedb.format.BatchFormat;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.MaskedRanges;
import io.github.coppicedb.tree.PackedTree;
import io.github.coppicedb.tree.TreeBuilder;
import io.github.coppicedb.tree.TreeSettings;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An append-only arena of changes: where writes go first. Every change is a record at the end of
 * one growing byte array ({@link ArenaRecord}); a hash index finds the newest record of a key, and
 * each record links to the older one of its key. Nothing is ever changed or removed, so the arena's
 * length is a snapshot: a <em>mark</em>. A reader looks through a {@link TopView} for a mark and
 * sees exactly the records before it. Order is made only on demand ({@link TopOrder}).
 *
 * <p>A <em>mask</em> is a record too: it deletes a range of keys. In older layers they are hidden
 * through {@link TopView#masks}; the arena's own keys in the range get a tombstone each.
 *
 * <h2>Two kinds</h2>
 *
 * A <em>private</em> top belongs to one thread at a time (a transaction). What was written counts
 * at once, {@link #mark} is the length, its index is made when something is first looked up and
 * then brought up to date lazily, and {@link #truncate} takes records back. A <em>shared</em> top
 * has one writer at a time (callers hold a lock) and any number of readers that hold none; records
 * count from {@link #publish} on, and are indexed as they are written.
 *
 * <p>A private top that was {@linkplain #freeze frozen} is not written any more, and any thread may
 * read it: through an order, so that nothing has to be indexed.
 *
 * <h2>Why readers of a shared top need no lock</h2>
 *
 * The writer stores a record's bytes plainly, then its older link, then its index slot with release
 * semantics, and at last, in {@link #publish}, the mark with a volatile store. The array, the index
 * table and the last mask are volatile fields; an array that grows is copied before it is stored.
 *
 * <ol>
 *   <li>A reader has a mark M from {@link #mark}, so all that the writer did before it published M
 *       happened before: the bytes and links of all records below M, in whatever array the reader
 *       then loads, since a newer array was copied from one that had them and was published by a
 *       volatile store. The links of records below M are never written again.
 *   <li>Whatever index table the reader loads after that has a slot for every key with a record
 *       below M ({@link KeyIndex}). The slot may name a record at or behind M, written in the
 *       meantime. Its release store and the reader's acquire load make that record and its link
 *       visible in the array, which the reader loads after the slot. The links lead down to the
 *       newest record below M.
 *   <li>If no record of the key is below M, there may be no slot, or the links end; neither is
 *       found.
 *   <li>An array that a reader holds from before a growth stays as it is: it has all records below
 *       the marks that were published before the reader loaded it.
 *   <li>Orders are immutable and passed on by a volatile reference, so an order that another thread
 *       made brings the records that it names with it; its array is loaded after it.
 * </ol>
 *
 * Methods for the writer say so; all others may be called by any thread, and for a private top that
 * is not frozen only by its owner, but for {@link #seal(int, TreeSettings)}: another thread may
 * seal a top that is not written any more while its owner still reads it.
 */
public final class ArenaTop implements ChangedKeys {
  /** The kind of a record that masks a range: its key is the low end, its value the high one. */
  static final byte MASK = BatchFormat.MASK;

  /** No arena grows beyond this number of bytes. */
  public static final int MAX_BYTES = 1 << 30;

  private static final int PRIVATE_BYTES = 512;
  private static final int SHARED_BYTES = 1 << 14;
  private static final int PATIENCE = 64;

  /** From this size on a top that grows takes what it is expected to need in the end. */
  private static final int SMALL_BYTES = 1 << 14;

  private static final MemorySegment NO_VALUE = MemorySegment.ofArray(new byte[0]);

  private final boolean isShared;
  private final int expectedBytes;

  private volatile ArenaBytes arena;
  private volatile int published;
  // Two threads may set it at a time: the one that covers less may win, and costs work only.
  private volatile TopOrder order = TopOrder.EMPTY;
  private final TopMasks masks = new TopMasks();

  // The writer's: the array of the arena, the end of the last record, how many there are, and the
  // end of those that are indexed.
  private byte[] array;
  private int length;
  private int records;
  private int indexed;
  private boolean hasLargeValues;
  private boolean frozen;
  // Written by the owner before anybody else can read; never null in a shared top.
  private @Nullable KeyIndex index;

  /**
   * Makes an empty top, shared or private.
   *
   * @param isShared whether other threads read while one writes
   */
  public ArenaTop(boolean isShared) {
    this(isShared, isShared ? SHARED_BYTES : PRIVATE_BYTES);
  }

  /**
   * Makes an empty top with room for some bytes, so that it need not grow.
   *
   * @param isShared whether other threads read while one writes
   * @param initialBytes size of the first array; the first index is made to fit it
   */
  public ArenaTop(boolean isShared, int initialBytes) {
    this(isShared, initialBytes, initialBytes);
  }

  private ArenaTop(boolean isShared, int initialBytes, int expectedBytes) {
    this.isShared = isShared;
    this.expectedBytes = expectedBytes;
    this.array = new byte[Math.clamp(initialBytes, 64, MAX_BYTES)];
    this.arena = ArenaBytes.of(array);
    this.index = isShared ? KeyIndex.forArena(array.length) : null;
  }

  /**
   * Makes an empty private top that is likely to take some bytes: it begins small, but does not
   * grow step by step.
   */
  public static ArenaTop expecting(int bytes) {
    return new ArenaTop(false, PRIVATE_BYTES, bytes);
  }

  /**
   * Appends a change of one key; for the writer.
   *
   * @param key a buffer that begins with the key
   * @param keyLength the key's length, at most {@link BatchFormat#MAX_KEY_BYTES}
   * @param kind one of {@link EntryKind}
   * @param value a segment with the value, or with the reference to it; copied
   * @param valueOffset the value's first byte in the segment
   * @param valueLength the number of bytes; 0 for a tombstone
   * @throws IllegalStateException if the top would grow beyond {@link #MAX_BYTES}; nothing changed
   */
  public void put(
      byte[] key,
      int keyLength,
      byte kind,
      MemorySegment value,
      long valueOffset,
      long valueLength) {
    int at = beginWithKey(kind, key, keyLength, valueLength);
    if (valueLength > 0) {
      MemorySegment.copy(value, valueOffset, arena.segment(), at, valueLength);
    }
    end(kind, at + (int) valueLength);
  }

  /** Appends a put of one key with a value that is stored inline; for the writer. */
  public void put(byte[] key, int keyLength, byte[] value) {
    int at = beginWithKey(EntryKind.PUT, key, keyLength, value.length);
    System.arraycopy(value, 0, array, at, value.length);
    end(EntryKind.PUT, at + value.length);
  }

  private int beginWithKey(byte kind, byte[] key, int keyLength, long valueLength) {
    if (keyLength > BatchFormat.MAX_KEY_BYTES) {
      throw new IllegalArgumentException("key of " + keyLength + " bytes");
    }
    int at = begin(kind, keyLength, valueLength);
    System.arraycopy(key, 0, array, ArenaRecord.keyOffset(length), keyLength);
    return at;
  }

  /** Appends a change whose key and value lie side by side in a segment. */
  void putJoined(byte kind, int keyLength, MemorySegment source, long offset, int valueLength) {
    int at = begin(kind, keyLength, valueLength);
    MemorySegment target = arena.segment();
    MemorySegment.copy(source, offset, target, ArenaRecord.keyOffset(length), keyLength);
    MemorySegment.copy(source, offset + keyLength, target, at, valueLength);
    end(kind, at + valueLength);
  }

  /** Appends a tombstone; for the writer. Like {@link #put} otherwise. */
  public void putTombstone(byte[] key, int keyLength) {
    put(key, keyLength, EntryKind.TOMBSTONE, NO_VALUE, 0, 0);
  }

  /**
   * Deletes all keys of a range that are there so far, in this top and in all older layers; for the
   * writer. A range without keys changes nothing.
   *
   * @param low the least key
   * @param high the least key above the range, or null when it has no upper end
   * @throws IllegalStateException if the top would grow beyond {@link #MAX_BYTES}; part of the
   *     tombstones may have been written then
   */
  public void maskRange(byte[] low, byte @Nullable [] high) {
    if (high != null && Arrays.compareUnsigned(low, high) >= 0) {
      return;
    }
    byte[] end = high == null ? new byte[0] : high;
    int record = length;
    int at = begin(MASK, low.length, end.length);
    System.arraycopy(low, 0, array, ArenaRecord.keyOffset(record), low.length);
    System.arraycopy(end, 0, array, at, end.length);
    masks.add(array, record);
    end(MASK, at + end.length);
    hideOwnKeys(record, low, high);
  }

  /** Writes a tombstone for every key of a range that has a value before a mark. */
  private void hideOwnKeys(int mark, byte[] low, byte @Nullable [] high) {
    TopCursor cursor = cursor(mark);
    boolean found = cursor.seekCeiling(low, low.length);
    while (found && MaskRecord.isBelow(cursor.key(), cursor.keyLength(), high)) {
      if (ArenaRecord.kind(array, cursor.record()) != EntryKind.TOMBSTONE) {
        putTombstone(cursor.key(), cursor.keyLength());
      }
      found = cursor.next();
    }
  }

  /**
   * Appends all changes of another top in their order; for the writer of this and the owner of the
   * other. Masks of the other hide this top's keys as {@link #maskRange} does.
   *
   * @throws IllegalStateException if the top would grow beyond {@link #MAX_BYTES}
   */
  public void appendAll(ArenaTop other) {
    appendSince(other, 0);
  }

  /** Appends the changes of another top from a mark on; otherwise like {@link #appendAll}. */
  public void appendSince(ArenaTop other, int mark) {
    reserve((long) other.length - mark);
    hasLargeValues |= other.hasLargeValues;
    int from = mark;
    if (other.masks.newest() >= mark) {
      for (int at = mark; at < other.length; at = ArenaRecord.end(other.array, at)) {
        if (ArenaRecord.kind(other.array, at) == MASK) {
          appendRecords(other.array, from, at);
          MaskedRanges.Range range = MaskRecord.range(other.array, at);
          maskRange(range.low(), range.high());
          from = ArenaRecord.end(other.array, at);
        }
      }
    }
    appendRecords(other.array, from, other.length);
  }

  /** Appends records that are no masks. */
  private void appendRecords(byte[] source, int from, int to) {
    reserve((long) to - from);
    System.arraycopy(source, from, array, length, to - from);
    int end = length + to - from;
    for (int at = length; at < end; at = ArenaRecord.end(array, at)) {
      records++;
    }
    length = end;
    indexIfShared();
  }

  /** Makes all records so far count for those who ask for a mark from now on; for the writer. */
  public void publish() {
    published = length;
  }

  /**
   * Ends the writing of a private top, so that its layer can be handed to other threads. Its keys
   * may still be asked for as {@link ChangedKeys}, by one thread at a time.
   */
  public void freeze() {
    if (isShared) {
      throw new IllegalStateException("a shared top is readable as it is");
    }
    frozen = true;
  }

  /** Returns the mark of the records that count now. Views are made for it. */
  public int mark() {
    return isShared ? published : length;
  }

  /** Returns the view of the records before a mark. */
  public TopView view(int mark) {
    return new TopView(this, mark);
  }

  /** Returns the bytes that all records take, published or not; for the writer. */
  @Override
  public int bytes() {
    return length;
  }

  /** Returns the bytes of heap that array and index take. */
  @Override
  public long heapBytes() {
    return arena.array().length + (index == null ? 0 : index.bytes());
  }

  /** Returns whether nothing was written; for the writer. */
  public boolean isEmpty() {
    return length == 0;
  }

  /** Returns the number of records before some mark at most. */
  int recordsAtMost(int mark) {
    return mark == 0 ? 0 : records;
  }

  /**
   * Takes back all that was written since a mark; for the owner of a private top. Views, cursors
   * and marks that came later are void, but values that were found stay as they are.
   */
  public void truncate(int mark) {
    if (isShared || frozen) {
      throw new IllegalStateException("a shared top only grows, and a frozen one stays");
    }
    if (mark > length) {
      throw new IllegalArgumentException("mark %d is behind %d".formatted(mark, length));
    }
    for (int record = mark; record < length; record = ArenaRecord.end(array, record)) {
      records--;
      if (index != null && record < indexed && isFirstSince(mark, record)) {
        index.unlink(array, record, hash(record));
      }
    }
    masks.truncate(array, mark);
    order = order.truncatedTo(mark);
    indexed = Math.min(indexed, mark);
    if (mark < length) {
      // Written anew behind the mark, the old array would change values that were found in it.
      byte[] kept = new byte[Math.max(PRIVATE_BYTES, 2 * mark)];
      System.arraycopy(array, 0, kept, 0, mark);
      array = kept;
      arena = ArenaBytes.of(kept);
    }
    length = mark;
  }

  private boolean isFirstSince(int mark, int record) {
    return ArenaRecord.kind(array, record) != MASK && ArenaRecord.older(array, record) < mark;
  }

  @Override
  public boolean changedSince(int mark, byte[] key, int keyLength, long hash) {
    if (mark >= length) {
      return false;
    }
    if (lastChange(key, keyLength, hash) >= mark) {
      return true;
    }
    for (int mask = masks.newest(); mask >= mark; mask = ArenaRecord.older(array, mask)) {
      if (MaskRecord.covers(array, mask, key, keyLength)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the newest record of a key, or {@link ArenaRecord#NONE}; for the writer. */
  int lastChange(byte[] key, int keyLength, long hash) {
    return upToDateIndex().newest(this, key, keyLength, hash);
  }

  @Override
  public boolean hasMasks() {
    return masks.newest() != ArenaRecord.NONE;
  }

  @Override
  public boolean changedSince(int mark, MaskedRanges.Range range) {
    for (int at = mark; at < length; at = ArenaRecord.end(array, at)) {
      boolean isInside =
          ArenaRecord.kind(array, at) == MASK
              ? MaskRecord.meets(array, at, range)
              : MaskRecord.hasKeyOf(array, at, range);
      if (isInside) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean forEachKey(KeyVisitor visitor) {
    byte[] key = new byte[64];
    for (int at = 0; at < length; at = ArenaRecord.end(array, at)) {
      if (ArenaRecord.kind(array, at) != MASK) {
        int keyLength = ArenaRecord.keyLength(array, at);
        if (key.length < keyLength) {
          key = new byte[2 * keyLength];
        }
        System.arraycopy(array, ArenaRecord.keyOffset(at), key, 0, keyLength);
        if (!visitor.visit(key, keyLength, KeyHash.of(key, keyLength))) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Returns the ids of the value files that the records that count refer to, ascending, each once.
   */
  public long[] largeFiles() {
    int mark = mark();
    return hasLargeValues ? BatchCodec.largeFiles(arena.array(), mark) : new long[0];
  }

  /** Returns the number of bytes that {@link #encodeTo} writes; for the writer. */
  public int encodedBytes() {
    return BatchCodec.encodedBytes(array, length, records);
  }

  /**
   * Writes all records as a batch of the log ({@link BatchFormat}); for the writer.
   *
   * @return the index behind the batch
   */
  public int encodeTo(byte[] target, int offset) {
    return BatchCodec.encode(array, length, records, target, offset);
  }

  /**
   * Appends the records of a batch; for the writer.
   *
   * @param batch the payload, all of it
   * @param into the top that gets the records
   * @throws IllegalArgumentException if the payload is no batch; the top is unchanged then
   */
  public static void decode(MemorySegment batch, ArenaTop into) {
    BatchCodec.decode(batch, into);
  }

  /** Returns the array that holds every record that the caller can know of. */
  byte[] array() {
    return arena.array();
  }

  /**
   * Finds the newest entry of a key, a tombstone too; for the owner of a private top, who need not
   * make a view for each read. Masks are not looked at.
   *
   * @return false if there is no entry; {@code out} is unchanged then
   */
  public boolean find(byte[] key, int keyLength, long hash, EntryValue out) {
    return find(length, key, keyLength, hash, out);
  }

  /** Finds the newest record of a key before a mark. */
  boolean find(int mark, byte[] key, int keyLength, long hash, EntryValue out) {
    if (mark == 0) {
      return false;
    }
    int record =
        frozen
            ? newestByOrder(mark, key, keyLength)
            : indexForReading().newest(this, key, keyLength, hash);
    ArenaBytes bytes = arena;
    for (int steps = 0; record >= mark; steps++) {
      // A key that is written all the time would make old views slow: an order finds it at once.
      record =
          steps < PATIENCE
              ? ArenaRecord.older(bytes.array(), record)
              : newestByOrder(mark, key, keyLength);
    }
    if (record == ArenaRecord.NONE) {
      return false;
    }
    showValue(bytes.array(), bytes.segment(), record, out);
    return true;
  }

  private int newestByOrder(int mark, byte[] key, int keyLength) {
    return orderTo(mark).newest(array(), key, keyLength, mark);
  }

  static void showValue(byte[] array, MemorySegment segment, int record, EntryValue out) {
    byte kind = ArenaRecord.kind(array, record);
    if (kind == EntryKind.TOMBSTONE) {
      out.setTombstone();
    } else {
      int from = ArenaRecord.valueOffset(array, record);
      out.set(kind, segment, from, ArenaRecord.valueLength(array, record));
    }
  }

  /** Returns a cursor over the records before a mark. */
  TopCursor cursor(int mark) {
    TopOrder known = orderTo(mark);
    return new TopCursor(arena, known, mark);
  }

  /** Returns an order that has all records before a mark, made by whoever needs it first. */
  TopOrder orderTo(int mark) {
    TopOrder known = order;
    if (known.covered() >= mark) {
      return known;
    }
    TopOrder more = known.extendedTo(arena.array(), mark, records);
    if (order.covered() < mark) {
      order = more;
    }
    return more;
  }

  /**
   * Makes a tree in heap of the newest records before a mark, with the masks before it.
   *
   * @param mark which records count
   * @param settings how the tree is built
   */
  public PackedTree seal(int mark, TreeSettings settings) {
    return seal(mark, TreeBuilder.inHeap(settings));
  }

  /** Like {@link #seal(int, TreeSettings)}, into a builder that is empty; ends the builder. */
  public PackedTree seal(int mark, TreeBuilder builder) {
    TopOrder known = order;
    ArenaBytes bytes = arena;
    SortedRecords sorted = known.inOneRun(bytes.array(), mark, records);
    order = TopOrder.of(sorted, Math.max(mark, known.covered()));
    return new TopSealer(bytes, masks(mark), builder).seal(sorted, mark);
  }

  /** Returns the masks before a mark, joined. */
  MaskedRanges masks(int mark) {
    return masks.before(mark, this);
  }

  /** Begins a record behind the last one, and returns where its value goes. */
  private int begin(byte kind, int keyLength, long valueLength) {
    reserve(ArenaRecord.bytes(keyLength, valueLength));
    return ArenaRecord.putHeader(array, length, kind, keyLength, (int) valueLength);
  }

  /** Counts a record in whose key and value are written now: until then a failure is harmless. */
  private void end(byte kind, int end) {
    hasLargeValues |= kind == EntryKind.LARGE;
    length = end;
    records++;
    indexIfShared();
  }

  /** Makes room for more bytes. */
  private void reserve(long size) {
    long needed = length + size + ArenaRecord.SLACK;
    if (needed > array.length) {
      if (needed > MAX_BYTES) {
        throw new IllegalStateException(
            "a top of %d bytes cannot take %d more".formatted(length, size));
      }
      array = Arrays.copyOf(array, (int) Math.min(MAX_BYTES, Math.max(needed, nextSize())));
      arena = ArenaBytes.of(array);
    }
  }

  private long nextSize() {
    long doubled = 2L * array.length;
    return doubled > SMALL_BYTES ? Math.max(doubled, expectedBytes) : doubled;
  }

  /** Enters what was written into the index of a shared top. */
  private void indexIfShared() {
    if (isShared) {
      upToDateIndex();
    }
  }

  /** Returns the index with all records in it; for the writer. */
  private KeyIndex upToDateIndex() {
    KeyIndex known = index;
    if (known == null) {
      // What reads between its puts would have a smaller one grow again and again.
      known = KeyIndex.forArena(array.length);
      index = known;
    }
    while (indexed < length) {
      if (ArenaRecord.kind(array, indexed) != MASK) {
        known.link(array, indexed, hash(indexed));
      }
      indexed = ArenaRecord.end(array, indexed);
    }
    return known;
  }

  /** Returns the index with all records that count in it. */
  private KeyIndex indexForReading() {
    return isShared && index != null ? index : upToDateIndex();
  }

  private long hash(int record) {
    int length = ArenaRecord.keyLength(array, record);
    return KeyHash.of(array, ArenaRecord.keyOffset(record), length);
  }
}
