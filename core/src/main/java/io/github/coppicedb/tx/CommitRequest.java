package io.github.coppicedb.tx;

import io.github.coppicedb.lsm.Epoch;
import io.github.coppicedb.lsm.PrivateLayers;
import io.github.coppicedb.top.ArenaTop;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on its way through the commit pipeline. Handed from the committing thread to the
 * one that leads the group and back under the commit lock.
 */
final class CommitRequest {
  private final @Nullable ArenaTop top;
  private final @Nullable PrivateLayers layers;
  private final Epoch epoch;
  private final int mark;
  private final boolean hasValueFiles;
  private boolean done;
  private boolean mayComeBack;
  private @Nullable Throwable failure;

  private CommitRequest(
      @Nullable ArenaTop top,
      @Nullable PrivateLayers layers,
      Epoch epoch,
      int mark,
      boolean hasValueFiles) {
    this.top = top;
    this.layers = layers;
    this.epoch = epoch;
    this.mark = mark;
    this.hasValueFiles = hasValueFiles;
  }

  static CommitRequest small(ArenaTop top, Epoch epoch, int mark, boolean hasValueFiles) {
    return new CommitRequest(top, null, epoch, mark, hasValueFiles);
  }

  static CommitRequest large(PrivateLayers layers, Epoch epoch, int mark) {
    return new CommitRequest(null, layers, epoch, mark, true);
  }

  /** Returns the changes of a small transaction, or null. */
  @Nullable ArenaTop top() {
    return top;
  }

  /** Returns the changes of a large transaction, or null. */
  @Nullable PrivateLayers layers() {
    return layers;
  }

  /** Returns the epoch of the transaction's snapshot. */
  Epoch epoch() {
    return epoch;
  }

  /** Returns how much of that epoch the snapshot sees. */
  int mark() {
    return mark;
  }

  /** Returns whether new file names must be durable before the commit. */
  boolean hasNewFiles() {
    return hasValueFiles;
  }

  boolean isDone() {
    return done;
  }

  void succeed() {
    done = true;
  }

  /**
   * Ends it without success, unless it has ended.
   *
   * @param comesBack whether a reopen may find it committed all the same
   */
  void fail(Throwable reason, boolean comesBack) {
    if (!done) {
      done = true;
      failure = reason;
      mayComeBack = comesBack;
    }
  }

  /** Returns whether it has failed and a reopen may find it committed: its files must stay. */
  boolean mayComeBack() {
    return mayComeBack;
  }

  @Nullable Throwable failure() {
    return failure;
  }
}
