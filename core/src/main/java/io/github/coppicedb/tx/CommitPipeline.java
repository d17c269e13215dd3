package io.github.coppicedb.tx;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.ConflictException;
import io.github.coppicedb.DatabaseException;
import io.github.coppicedb.Durability;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.log.LogPosition;
import io.github.coppicedb.lsm.FileNumbers;
import io.github.coppicedb.lsm.Forest;
import io.github.coppicedb.lsm.PrivateLayers;
import io.github.coppicedb.lsm.Threads;
import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.Storage;
import io.github.coppicedb.top.ArenaTop;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Puts commits in one order: each is validated, logged, made as durable as was asked for, applied
 * to the shared trees and only then visible. The thread that gets the commit lock leads: it takes
 * all requests that wait and brings them through together, with one write and one force (group
 * commit: DeWitt et al., 1984).
 *
 * <p>Thread-safe. A request that fails has changed nothing, unless the force itself failed: then
 * what a reopen finds is unknown, and no more commits are taken.
 */
public final class CommitPipeline {
  private static final long FLUSH_NANOS = 100_000_000;

  /** A transaction that takes more than this part of a top becomes one. */
  private static final int TOP_PART = 4;

  private final Forest forest;
  private final Storage storage;
  private final Tuning tuning;
  private final Durability durability;
  private final Lifecycle lifecycle;
  private final CommitLog log;
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<CommitRequest> queue = new ConcurrentLinkedQueue<>();
  // Guarded by the lock.
  private @Nullable Throwable broken;
  private @Nullable Thread flusher;

  /** Begins a new log file behind everything that was recovered. */
  public CommitPipeline(
      Forest forest,
      Storage storage,
      long databaseId,
      FileNumbers numbers,
      Tuning tuning,
      Durability durability,
      Lifecycle lifecycle,
      long firstSequence) {
    this.forest = forest;
    this.storage = storage;
    this.tuning = tuning;
    this.durability = durability;
    this.lifecycle = lifecycle;
    this.log = new CommitLog(storage, databaseId, numbers, tuning, durability, firstSequence);
  }

  /** Returns when the request has been committed; throws why it has not. */
  void commit(CommitRequest request) {
    queue.add(request);
    lock.lock();
    try {
      if (!request.isDone()) {
        commitWaiting();
      }
    } finally {
      lock.unlock();
    }
    if (!request.isDone()) {
      // The thread that led the group ran out of memory before it came to it.
      throw new IllegalStateException("not committed: the commit was left out");
    }
    rethrow(request.failure());
  }

  /** Returns when all that was committed before, and is in the log, is on the device. */
  public void force() {
    lock.lock();
    try {
      lifecycle.ensureOpen();
      log.prepare();
      log.forcePending();
    } finally {
      lock.unlock();
    }
  }

  /** Seals the active top, so that a drain takes in all that was committed before. */
  public void sealActive() {
    lock.lock();
    try {
      log.prepare();
      log.forcePending();
      log.rotateIfUsed();
      forest.sealActive(log.position());
    } finally {
      lock.unlock();
    }
  }

  /** Lets recovery begin behind the whole log, if nothing is in memory. */
  public void checkpointIfStored() {
    lock.lock();
    try {
      forest.checkpointIfStored(log.position());
    } finally {
      lock.unlock();
    }
  }

  /** Forces the log and closes it. No commit may come after. */
  public void close() {
    Thread running;
    lock.lock();
    try {
      running = flusher;
      log.close();
    } finally {
      lock.unlock();
    }
    if (running != null) {
      LockSupport.unpark(running);
      Threads.join(running);
    }
  }

  private void commitWaiting() {
    List<CommitRequest> group = new ArrayList<>();
    for (CommitRequest next = queue.poll(); next != null; next = queue.poll()) {
      PrivateLayers layers = next.layers();
      if (layers == null) {
        group.add(next);
      } else {
        commitGroup(group);
        group.clear();
        commitLarge(next, layers);
      }
    }
    commitGroup(group);
  }

  private void commitGroup(List<CommitRequest> group) {
    if (group.isEmpty()) {
      return;
    }
    Progress progress = Progress.BEGUN;
    try {
      prepare(group.stream().mapToLong(request -> top(request).bytes()).sum());
      List<CommitRequest> accepted = new ArrayList<>(group.size());
      List<LogPosition> ends = new ArrayList<>(group.size());
      LogPosition begin = log.position();
      boolean newFiles = false;
      for (CommitRequest request : group) {
        if (validate(request, accepted)) {
          accepted.add(request);
          newFiles |= request.hasNewFiles();
          append(request);
          ends.add(log.position());
        }
      }
      if (newFiles) {
        storage.forceDirectory();
      }
      progress = Progress.WRITING;
      log.commit(newFiles);
      progress = Progress.LOGGED;
      for (int i = 0; i < accepted.size(); i++) {
        apply(top(accepted.get(i)), i == 0 ? begin : ends.get(i - 1), ends.get(i));
      }
      forest.active().publish();
      accepted.forEach(CommitRequest::succeed);
      scheduleFlush();
    } catch (Throwable e) {
      fail(group, e, progress);
    }
  }

  /** How far a group of commits has come. */
  private enum Progress {
    BEGUN,
    WRITING,
    LOGGED
  }

  /**
   * Fails all requests that have not ended; sees to it that none of them is committed by halves.
   */
  private void fail(List<CommitRequest> group, Throwable reason, Progress progress) {
    boolean known =
        progress == Progress.BEGUN
            || (progress == Progress.WRITING && reason instanceof StorageFailureException);
    if (!known) {
      broken = reason;
    }
    boolean mayComeBack = !known || !log.takeBack();
    group.forEach(request -> request.fail(reason, mayComeBack));
  }

  private void prepare(long bytes) {
    lifecycle.ensureOpen();
    if (broken != null) {
      throw new IllegalStateException(
          "the database takes no more commits since one failed half-way; close it and open it"
              + " again",
          broken);
    }
    forest.throttle(bytes);
    log.prepare();
  }

  private static ArenaTop top(CommitRequest request) {
    ArenaTop top = request.top();
    if (top == null) {
      throw new IllegalStateException("a large commit in a group of small ones");
    }
    return top;
  }

  private boolean validate(CommitRequest request, List<CommitRequest> before) {
    ArenaTop mine = top(request);
    boolean meets = Validation.conflicts(mine, request.epoch(), request.mark());
    for (int i = 0; i < before.size() && !meets; i++) {
      meets = Validation.meets(mine, top(before.get(i)), 0);
    }
    if (meets) {
      request.fail(conflict(), false);
    }
    return !meets;
  }

  private static ConflictException conflict() {
    return new ConflictException(
        "another transaction that committed after this one's snapshot changed the same keys;"
            + " run the transaction again");
  }

  private void append(CommitRequest request) {
    if (durability != Durability.UNSAVED_COMMITS_AT_RISK) {
      ArenaTop top = top(request);
      log.appendBatch(top.encodedBytes(), top::encodeTo);
    }
  }

  /**
   * Adds a small transaction to the active top, or to a new one if it would grow too large. One
   * that makes up a good part of a top is sealed as it is: nothing is copied, and nothing indexed.
   */
  private void apply(ArenaTop changes, LogPosition before, LogPosition end) {
    ArenaTop active = forest.active();
    boolean isTop = changes.bytes() > tuning.topBytes() / TOP_PART;
    if (!active.isEmpty() && (isTop || active.bytes() + changes.bytes() > tuning.topBytes())) {
      active.publish();
      forest.sealActive(before);
      active = forest.active();
    }
    if (isTop) {
      forest.adopt(changes, end);
    } else {
      active.appendAll(changes);
    }
  }

  private void commitLarge(CommitRequest request, PrivateLayers layers) {
    Progress progress = Progress.BEGUN;
    try {
      // Its layers are files, for which it has waited already.
      prepare(0);
      if (Validation.conflicts(layers.layers(), request.epoch(), request.mark())) {
        request.fail(conflict(), false);
        return;
      }
      LogPosition before = log.position();
      if (durability != Durability.UNSAVED_COMMITS_AT_RISK) {
        storage.forceDirectory();
        log.appendAdoption(layers.fileNumbers());
      }
      progress = Progress.WRITING;
      log.commit(true);
      progress = Progress.LOGGED;
      forest.sealActive(before);
      forest.adopt(layers, log.position());
      request.succeed();
    } catch (Throwable e) {
      fail(List.of(request), e, progress);
    }
  }

  /** At the level that risks recent commits: sees to it that they are forced soon. */
  private void scheduleFlush() {
    if (durability == Durability.RECENT_COMMITS_AT_RISK && flusher == null) {
      flusher = Thread.ofPlatform().daemon().name("coppice-log").start(this::flushSoon);
    }
  }

  private void flushSoon() {
    LockSupport.parkNanos(FLUSH_NANOS);
    try {
      if (writePending()) {
        // Without the commit lock: a force takes as long as many commits.
        log.endForce();
      }
    } catch (DatabaseException e) {
      // The log keeps it, and tells every later commit.
      assert log.isBroken();
    } finally {
      endFlush();
    }
  }

  private boolean writePending() {
    lock.lock();
    try {
      return log.beginForce();
    } finally {
      lock.unlock();
    }
  }

  /** Has the next one begin, if commits came meanwhile. */
  private void endFlush() {
    lock.lock();
    try {
      flusher = null;
      if (!lifecycle.isClosed() && log.isPending()) {
        scheduleFlush();
      }
    } finally {
      lock.unlock();
    }
  }

  private static void rethrow(@Nullable Throwable failure) {
    switch (failure) {
      case null -> {}
      // Each thread throws its own, so that the trace shows its own call.
      case ClosedException e -> throw new ClosedException(String.valueOf(e.getMessage()));
      case ConflictException e -> throw new ConflictException(String.valueOf(e.getMessage()));
      case StorageFailureException e ->
          throw new StorageFailureException("not committed: " + e.getMessage(), e, e.isDiskFull());
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }
}
