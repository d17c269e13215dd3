package io.github.coppicedb.tx;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.lsm.Epoch;
import io.github.coppicedb.lsm.Layer;
import io.github.coppicedb.lsm.LayerStack;
import io.github.coppicedb.lsm.PrivateLayers;
import io.github.coppicedb.lsm.TopLayer;
import io.github.coppicedb.lsm.ValueStore;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.EntryValue;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A write transaction: a private top, and private layers once that has overflowed, over the
 * snapshot that it began with. Nothing of it is shared before {@link #commit}.
 *
 * <p>Confined to one thread at a time.
 */
public final class Transaction implements View {
  private static final int NOTHING_SEALED = -1;

  private final TransactionContext context;
  private final ReadSnapshot base;
  private final Epoch epoch;
  private final List<Long> valueFiles = new ArrayList<>();
  // Those that can still be gone back to, in order; those inside the top come last.
  private final List<Mark> marks = new ArrayList<>();
  private ArenaTop top;
  private @Nullable PrivateLayers sealed;
  // The top as it is, if a read has asked for it since the last change.
  private @Nullable TopLayer newest;
  // What lies below the top, as of that change of the sealed layers.
  private @Nullable LayerStack below;
  private int belowChanges;
  private long changes;
  private boolean ended;

  /**
   * A place that a transaction can be taken back to: a length of the private top, or, once that has
   * been sealed, a border between sections of the private layers.
   */
  public static final class Mark {
    private final int length;
    private int section;
    private boolean sealed;

    Mark(int length) {
      this.length = length;
    }
  }

  private Transaction(TransactionContext context, ReadSnapshot base, Epoch epoch) {
    this.context = context;
    this.base = base;
    this.epoch = epoch;
    this.top = ArenaTop.expecting(context.expectedBytes());
  }

  /** Begins a transaction over the current state. */
  static Transaction begin(TransactionContext context) {
    while (true) {
      ReadSnapshot base = context.snapshot();
      Epoch epoch = base.epoch();
      if (epoch != null && context.forest().hold(epoch)) {
        return new Transaction(context, base, epoch);
      }
      // The epoch ended between the two steps: the next snapshot has a newer one.
      base.close();
    }
  }

  @Override
  public LayerStack stack() {
    ensureOpen();
    LayerStack below = below();
    return top.isEmpty() ? below : below.under(newest());
  }

  @Override
  public boolean find(byte[] key, int keyLength, EntryValue out) {
    ensureOpen();
    long hash = KeyHash.of(key, keyLength);
    try {
      if (!top.isEmpty()) {
        if (top.find(key, keyLength, hash, out)) {
          return !out.isTombstone();
        }
        if (top.hasMasks() && newest().hides(key, keyLength)) {
          return false;
        }
      }
      return below().find(key, keyLength, hash, out);
    } catch (IllegalStateException e) {
      throw translate(e);
    }
  }

  private TopLayer newest() {
    TopLayer known = newest;
    if (known == null) {
      known = new TopLayer(top, top.mark());
      newest = known;
    }
    return known;
  }

  /** Returns all layers but the top, which a change does not alter. */
  private LayerStack below() {
    PrivateLayers layers = sealed;
    int current = layers == null ? NOTHING_SEALED : layers.changes();
    LayerStack known = below;
    if (known == null || current != belowChanges) {
      List<Layer> all = new ArrayList<>();
      if (layers != null) {
        all.addAll(layers.layers());
      }
      all.addAll(base.layers());
      known = new LayerStack(all);
      belowChanges = current;
      below = known;
    }
    return known;
  }

  @Override
  public long changes() {
    return changes;
  }

  @Override
  public ValueStore values() {
    return base.values();
  }

  @Override
  public Lifecycle lifecycle() {
    return base.lifecycle();
  }

  /** Gives a key a value. */
  public void put(byte[] key, int keyLength, MemorySegment value) {
    ensureOpen();
    long length = value.byteSize();
    if (length > context.tuning().inlineValueBytes()) {
      byte[] reference = values().write(value);
      valueFiles.add(ValueStore.fileOf(reference));
      MemorySegment bytes = MemorySegment.ofArray(reference);
      append(key, keyLength, EntryKind.LARGE, bytes, reference.length);
    } else {
      append(key, keyLength, EntryKind.PUT, value, length);
    }
  }

  /** Gives a key a value. */
  public void put(byte[] key, int keyLength, byte[] value) {
    if (value.length > context.tuning().inlineValueBytes()) {
      put(key, keyLength, MemorySegment.ofArray(value));
      return;
    }
    ensureOpen();
    makeRoom((long) keyLength + value.length);
    top.put(key, keyLength, value);
    changed();
  }

  /** Deletes a key, present or not. */
  public void delete(byte[] key, int keyLength) {
    ensureOpen();
    makeRoom(keyLength);
    top.putTombstone(key, keyLength);
    changed();
  }

  /** Deletes all keys in [low, high); a null high end is open. */
  public void deleteRange(byte[] low, byte @Nullable [] high) {
    ensureOpen();
    makeRoom(low.length);
    top.maskRange(low, high);
    changed();
  }

  private void append(byte[] key, int keyLength, byte kind, MemorySegment value, long length) {
    makeRoom(keyLength + length);
    top.put(key, keyLength, kind, value, 0, length);
    changed();
  }

  private void makeRoom(long bytes) {
    if (!top.isEmpty() && top.bytes() + bytes > context.tuning().topBytes()) {
      sealTop();
    }
  }

  private void sealTop() {
    PrivateLayers layers = layers();
    List<ArenaTop> pieces = new ArrayList<>();
    List<Mark> inside = marks.stream().filter(mark -> !mark.sealed).toList();
    for (Mark mark : inside.reversed()) {
      // What came after a mark must stay apart from what was before, also when it is merged.
      ArenaTop later = new ArenaTop(false);
      later.appendSince(top, mark.length);
      top.truncate(mark.length);
      pieces.addFirst(later);
    }
    pushUnlessEmpty(layers, top);
    for (int i = 0; i < inside.size(); i++) {
      inside.get(i).section = layers.beginSection();
      inside.get(i).sealed = true;
      pushUnlessEmpty(layers, pieces.get(i));
    }
    top = new ArenaTop(false, context.tuning().topBytes());
    changed();
    // Last, since it may fail: then nothing is lost, and the transaction can go on.
    layers.throttle();
  }

  private static void pushUnlessEmpty(PrivateLayers layers, ArenaTop top) {
    if (!top.isEmpty()) {
      layers.push(top);
    }
  }

  private PrivateLayers layers() {
    PrivateLayers layers = sealed;
    if (layers == null) {
      layers = context.newLayers();
      sealed = layers;
    }
    return layers;
  }

  private void changed() {
    changes++;
    newest = null;
  }

  /** Returns a place to come back to. */
  public Mark mark() {
    ensureOpen();
    Mark mark = new Mark(top.mark());
    marks.add(mark);
    return mark;
  }

  /**
   * Takes back all that was changed since a mark, which stays usable; later marks do not.
   *
   * @throws IllegalArgumentException if the mark is another transaction's or was taken back itself
   */
  public void rollbackTo(Mark mark) {
    ensureOpen();
    int index = marks.indexOf(mark);
    if (index < 0) {
      throw new IllegalArgumentException(
          "the savepoint is of another transaction, or a rollback to an earlier one took it away");
    }
    marks.subList(index + 1, marks.size()).clear();
    if (mark.sealed) {
      layers().rollbackTo(mark.section);
      top = new ArenaTop(false);
    } else {
      top.truncate(mark.length);
    }
    changed();
  }

  /**
   * Makes all changes durable and visible at once, or none.
   *
   * @throws io.github.coppicedb.ConflictException if another transaction changed the same keys
   *     first
   * @throws io.github.coppicedb.StorageFailureException if the log could not be written
   */
  public void commit() {
    ensureOpen();
    CommitRequest request = null;
    boolean done = false;
    try {
      request = request();
      if (request != null) {
        context.commit(request);
      }
      done = true;
    } finally {
      end(done, request != null && request.mayComeBack());
    }
  }

  /** Returns what to commit, or null when there is nothing. */
  private @Nullable CommitRequest request() {
    PrivateLayers layers = sealed;
    if (layers == null) {
      context.noteBytes(top.bytes());
      return top.isEmpty()
          ? null
          : CommitRequest.small(top, epoch, base.mark(), !valueFiles.isEmpty());
    }
    if (!top.isEmpty()) {
      sealTop();
    }
    layers.finish(context.storesLargeCommits());
    return layers.isEmpty() ? null : CommitRequest.large(layers, epoch, base.mark());
  }

  /** Forgets all changes. Does nothing after the end. */
  public void rollback() {
    if (!ended) {
      end(false, false);
    }
  }

  /** Returns whether it was committed or rolled back. */
  public boolean isEnded() {
    return ended;
  }

  /**
   * Lets go of everything.
   *
   * @param committed whether the layers belong to the forest now
   * @param mayComeBack whether a reopen may find a failed commit in the log: then all files stay
   */
  private void end(boolean committed, boolean mayComeBack) {
    ended = true;
    newest = null;
    below = null;
    PrivateLayers layers = sealed;
    if (!valueFiles.isEmpty() && !mayComeBack) {
      context.dropValueFiles(
          valueFiles.stream().filter(file -> !committed || !refersTo(layers, file)).toList());
    }
    if (layers != null && !lifecycle().isClosed()) {
      if (committed || mayComeBack) {
        layers.handOver();
      } else {
        layers.discard();
      }
    }
    top = new ArenaTop(false);
    sealed = null;
    context.forest().release(epoch);
    base.close();
  }

  private boolean refersTo(@Nullable PrivateLayers layers, long file) {
    return layers != null ? layers.refersTo(file) : new TopLayer(top, top.mark()).refersTo(file);
  }

  @Override
  public void ensureOpen() {
    if (ended) {
      throw new ClosedException("the transaction has ended");
    }
    lifecycle().ensureOpen();
  }

  /** Returns whether the key is present, as the transaction sees it. */
  public boolean contains(byte[] key, int keyLength) {
    return find(key, keyLength, new EntryValue());
  }
}
