package io.github.coppicedb.lsm;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.DatabaseException;
import io.github.coppicedb.log.LogPosition;
import io.github.coppicedb.top.ArenaTop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The shared trees of a database: the active top, the shelf of sealed layers, the stored levels,
 * and the work that carries entries from one to the next.
 *
 * <p>Invariants: the order by age is active top, shelf, level 0, deeper levels, and within each
 * newest first; only neighbours are merged. What the manifest names plus the log from its position
 * on is all that was committed. Files are removed only after a manifest that does not name them is
 * durable, and after the last version that refers to them is let go.
 *
 * <p>Threads: the active top is written under the caller's commit lock. Locks are taken in the
 * order commit lock, manifest lock, structure lock; the structure lock is held for moments only.
 */
public final class Forest {
  private static final long WAIT_MILLIS = 20;
  private static final int SPARE_MERGES = 16;

  private final TreeStore store;
  private final ValueStore values;
  private final Checkpoint checkpoint;
  private final Tuning tuning;
  private final Background background;
  private final LevelPolicy policy;
  private final ReentrantLock structure = new ReentrantLock();
  private final ReentrantLock manifest = new ReentrantLock();
  private final Shelf shelf;
  private final LayerMerger merger;
  private final VersionSet versions;
  private final EpochHistory history;
  // Guarded by the structure lock.
  private Epoch epoch;
  private Levels levels;
  private boolean flushing;
  private volatile MergeClaims claims = MergeClaims.NONE;
  // Guarded by the manifest lock.
  private LogPosition stored;
  private boolean closed;
  private final AtomicInteger drains = new AtomicInteger();
  private final Retries retries;
  private final Throttle throttle;
  private volatile Backlog backlog = Backlog.NONE;

  /** Makes the trees of a database from what its manifest names. */
  public Forest(
      TreeStore store,
      ValueStore values,
      Checkpoint checkpoint,
      Tuning tuning,
      Background background,
      Levels levels,
      LogPosition stored) {
    this.store = store;
    this.values = values;
    this.checkpoint = checkpoint;
    this.tuning = tuning;
    this.background = background;
    this.levels = levels;
    this.stored = stored;
    this.policy = new LevelPolicy(tuning);
    this.history = new EpochHistory(tuning.memoryBudget() / 2);
    this.epoch = Epoch.of(new ArenaTop(true));
    this.versions = new VersionSet(background, new Version(epoch, List.of(), levels));
    this.shelf = new Shelf(structure, this::publish);
    this.merger = new LayerMerger(shelf, store, tuning::tree);
    this.retries = new Retries(background, this::workQuietly);
    this.backlog = Backlog.of(List.of(), levels);
    this.throttle =
        new Throttle(
            shelf,
            background,
            retries,
            this::workQuietly,
            () -> backlog.fill(tuning),
            () -> (double) backlog.heapBytes() / tuning.memoryBudget());
  }

  /**
   * Lets no manifest be written any more, and waits for one that is: behind it the directory may be
   * another's.
   */
  public void close() {
    retries.close();
    manifest.lock();
    try {
      closed = true;
    } finally {
      manifest.unlock();
    }
  }

  /** Returns the current version, held until {@link #release}. Takes no lock. */
  public Version acquire() {
    return versions.acquire();
  }

  /** Lets a transaction hold the epoch it began in; false if that has ended meanwhile. */
  public boolean hold(Epoch began) {
    return history.hold(began);
  }

  /** Ends a transaction's hold on an epoch. */
  public void release(Epoch began) {
    history.release(began).forEach(versions::release);
  }

  /** Lets go of a version. */
  public void release(Version version) {
    versions.release(version);
  }

  /** Returns the active top, for the holder of the commit lock. */
  public ArenaTop active() {
    return versions.current().active();
  }

  /** Seals the active top, if it holds anything, and begins a new one. Under the commit lock. */
  public void sealActive(LogPosition end) {
    ArenaTop sealed = active();
    if (sealed.isEmpty()) {
      return;
    }
    pushLayers(List.of(ShelfItem.ofTop(sealed, end, 0)), null);
  }

  /**
   * Takes in the top of a transaction as a layer of its own, above all that was committed before.
   * Under the commit lock, after {@link #sealActive}; nobody writes the top any more.
   */
  public void adopt(ArenaTop changes, LogPosition end) {
    changes.freeze();
    pushLayers(List.of(ShelfItem.ofTop(changes, end, 0)), Epoch.of(changes));
  }

  /**
   * Takes the layers of a large transaction in, above all that was committed before. Under the
   * commit lock, after {@link #sealActive}.
   */
  public void adopt(PrivateLayers layers, LogPosition end) {
    adopt(layers.items(), end);
  }

  /**
   * Takes in the tree files of one large transaction while the database is opened.
   *
   * @param runs its runs, oldest first
   */
  public void adoptFiles(List<List<StoredTree>> runs, LogPosition end) {
    adopt(
        runs.reversed().stream().map(files -> ShelfItem.ofFiles(StoredRun.of(files), end)).toList(),
        end);
  }

  private void adopt(List<ShelfItem> items, LogPosition end) {
    List<ShelfItem> placed = items.stream().map(item -> item.withEnd(end)).toList();
    pushLayers(placed, Epoch.of(versions.keep(placed)));
  }

  /** Puts layers on the shelf and begins a new epoch, after their own if they have one. */
  private void pushLayers(List<ShelfItem> items, @Nullable Epoch own) {
    List<Epoch> ended = new ArrayList<>();
    structure.lock();
    try {
      Epoch last = epoch;
      ended.add(last);
      if (own != null) {
        last.follow(own);
        last = own;
        ended.add(own);
      }
      // A top that has filled up is followed by one that need not grow again.
      boolean filled = own == null && active().bytes() > tuning.topBytes() / 2;
      Epoch fresh = Epoch.of(filled ? new ArenaTop(true, tuning.topBytes()) : new ArenaTop(true));
      last.follow(fresh);
      epoch = fresh;
      shelf.push(items);
    } finally {
      structure.unlock();
    }
    // Behind the publication: whoever finds the epoch let go then finds the new one.
    ended.forEach(past -> history.add(past).forEach(versions::release));
    wake();
  }

  /** Asks the background to do whatever is due. */
  public void wake() {
    background.submit(this::workQuietly);
  }

  /**
   * Keeps a writer of some bytes at a pace that merges can hold. Under the commit lock.
   *
   * @throws DatabaseException when memory is full and the work that would make room fails
   */
  public void throttle(long bytes) {
    merger.packWhile(() -> backlog.tops() > tuning.sealedTops());
    throttle.pace(bytes, this::runOne, this::storeOne);
  }

  /**
   * Returns when all that was sealed before is in tree files, whatever is sealed meanwhile.
   *
   * @param merges whether to wait for the merges that are due then, too
   */
  public void drain(boolean merges) {
    List<ShelfItem> items = shelf.items();
    long newest = items.isEmpty() ? -1 : items.getFirst().span().newest();
    long failures = retries.failures();
    drains.incrementAndGet();
    try {
      workWhile(() -> holdsUpTo(newest), this::storeOne, failures);
      if (merges) {
        List<StoredRun> runs = levels().level0();
        workWhile(
            () -> levels().level0().stream().anyMatch(runs::contains), this::runOne, failures);
        mergeWhatIsDue(failures);
      }
    } finally {
      drains.decrementAndGet();
    }
    retries.tryNow();
  }

  private void workWhile(BooleanSupplier condition, BooleanSupplier work, long failures) {
    while (condition.getAsBoolean()) {
      workOrWait(work, failures);
    }
  }

  /** Works; or waits for who does, and throws what has come between. */
  private void workOrWait(BooleanSupplier work, long failures) {
    if (!work.getAsBoolean()) {
      Retries.State failed = retries.state();
      if (failed != null && retries.failures() != failures) {
        throw failed.failure();
      }
      shelf.awaitChange(WAIT_MILLIS);
    }
  }

  /** Works until no merge is due; but under load another one may be due for ever. */
  private void mergeWhatIsDue(long failures) {
    Levels seen = levels();
    int left = seen.trees().size() + SPARE_MERGES;
    while (left > 0 && (!claims.isEmpty() || policy.pick(seen, claims, false) != null)) {
      workOrWait(this::runOne, failures);
      Levels now = levels();
      if (!now.equals(seen)) {
        left--;
      }
      seen = now;
    }
  }

  private Levels levels() {
    return versions.current().levels();
  }

  private boolean holdsUpTo(long push) {
    List<ShelfItem> items = shelf.items();
    return !items.isEmpty() && items.getLast().span().oldest() <= push;
  }

  /**
   * Lets recovery begin at a position of the log, if all that was committed before it is in tree
   * files. Under the commit lock.
   */
  public void checkpointIfStored(LogPosition position) {
    manifest.lock();
    try {
      if (active().isEmpty() && shelf.isEmpty() && !position.equals(stored)) {
        commit(levels(), position, List.of(), List.of());
      }
    } finally {
      manifest.unlock();
    }
  }

  /** Rewrites everything that is stored into the base. Call {@link #drain} before. */
  public void compact() {
    LevelPolicy.Plan plan = claimAll();
    while (plan == null && !levels().runs().isEmpty()) {
      shelf.awaitChange(WAIT_MILLIS);
      plan = claimAll();
    }
    if (plan != null) {
      execute(plan);
    }
  }

  /** Returns whether the current state, or the log that it comes from, refers to a value file. */
  public boolean refersTo(long valueFile) {
    Version version = acquire();
    try {
      return version.refersTo(valueFile);
    } finally {
      release(version);
    }
  }

  /** Takes note of value files that no committed entry may refer to. */
  public void retireValueFiles(List<Long> files) {
    versions.retire(files.stream().map(values::retired).toList());
  }

  /** Returns the failure of the last background work, or null when it succeeded. */
  public @Nullable RuntimeException failure() {
    Retries.State failed = retries.state();
    return failed == null ? null : failed.failure();
  }

  /** Returns what is stored and what waits in memory, for statistics. */
  public ForestStats stats() {
    Version version = acquire();
    try {
      return ForestStats.of(version, versions.count(), shelf.heapBytes());
    } finally {
      release(version);
    }
  }

  private void publish() {
    List<ShelfItem> items = shelf.items();
    versions.publish(new Version(epoch, items, levels));
    backlog = Backlog.of(items, levels);
  }

  /** Does work until none is due; keeps a failure for those who wait for the work. */
  private void workQuietly() {
    if (!retries.mayRun()) {
      return;
    }
    try {
      boolean more = true;
      while (more) {
        more = runOne();
      }
      retries.succeeded();
    } catch (RuntimeException e) {
      keepFailure(e);
    } catch (OutOfMemoryError e) {
      keepFailure(new IllegalStateException("a merge ran out of heap: " + e.getMessage(), e));
    }
  }

  private void keepFailure(RuntimeException reason) {
    retries.failed(reason);
    shelf.signal();
  }

  /** Does the most urgent piece of work; false when there is none that nobody does already. */
  private boolean runOne() {
    return merger.packOne() || flushOne() || merger.mergeOne(tuning.fanIn()) || compactOne();
  }

  /** Does the most urgent piece of work that takes sealed layers nearer to files. */
  private boolean storeOne() {
    return merger.packOne() || flushOne() || (policy.isFull(levels()) && compactOne());
  }

  /** Between two steps of a merge of levels: does a piece of what must not wait for it. */
  private void doUrgent() {
    if (!merger.packOne() && !flushOne() && !merger.mergeOne(tuning.fanIn())) {
      compactOne(LevelPolicy.Plan::isJoin);
    }
  }

  private boolean flushOne() {
    List<ShelfItem> items = claimForFlush();
    if (items.isEmpty()) {
      return false;
    }
    boolean done = false;
    try {
      flush(items);
      done = true;
    } finally {
      structure.lock();
      try {
        flushing = false;
      } finally {
        structure.unlock();
      }
      if (!done) {
        shelf.unclaim(items);
      }
    }
    return true;
  }

  private List<ShelfItem> claimForFlush() {
    structure.lock();
    try {
      if (flushing || !flushIsDue() || policy.isFull(levels)) {
        return List.of();
      }
      List<ShelfItem> items = shelf.claimOldest();
      flushing = !items.isEmpty();
      return items;
    } finally {
      structure.unlock();
    }
  }

  private boolean flushIsDue() {
    List<ShelfItem> items = shelf.items();
    return !items.isEmpty()
        && (drains.get() > 0
            || items.getLast().isFiles()
            || shelf.heapBytes() > tuning.memoryBudget() / 2
            || shelf.logBytes() > tuning.unstoredLogBytes()
            || (shelf.packedBytes() > tuning.treeBytes() / 2
                && policy.needsNoMerge(levels, ShelfItem.joinedRuns(items))));
  }

  private void flush(List<ShelfItem> items) {
    Version version = acquire();
    try {
      List<StoredRun> runs = new ArrayList<>();
      List<StoredTree> made = new ArrayList<>();
      for (List<ShelfItem> row : ShelfItem.rows(items)) {
        if (row.getFirst().isFiles()) {
          runs.add(StoredRun.of(row.getFirst().files()));
        } else {
          List<Run> inputs = row.stream().map(item -> (Run) item.layer()).toList();
          boolean bottom =
              row.size() == items.size() && policy.hidesNothing(version.levels(), inputs);
          StoredRun merged =
              StoredRun.of(store.mergeToFiles(inputs, bottom, () -> merger.doOne(tuning.fanIn())));
          runs.add(merged);
          made.addAll(merged.trees());
        }
      }
      commitLevels(now -> policy.placeAll(now, runs, claims), items, made);
      retireValueFiles(
          items.stream()
              .flatMap(item -> item.allValueFiles().stream())
              .filter(file -> runs.stream().noneMatch(run -> run.run().refersTo(file)))
              .distinct()
              .toList());
    } finally {
      release(version);
    }
  }

  private boolean compactOne() {
    return compactOne(any -> true);
  }

  private boolean compactOne(Predicate<LevelPolicy.Plan> isWanted) {
    // Without a lock first: it is asked between the steps of every merge.
    LevelPolicy.Plan plan =
        pick(levels(), isWanted) == null ? null : claim(now -> pick(now, isWanted));
    if (plan == null) {
      return false;
    }
    execute(plan);
    return true;
  }

  private LevelPolicy.@Nullable Plan pick(Levels now, Predicate<LevelPolicy.Plan> isWanted) {
    LevelPolicy.Plan plan = policy.pick(now, claims, drains.get() > 0);
    return plan != null && isWanted.test(plan) ? plan : null;
  }

  private LevelPolicy.@Nullable Plan claimAll() {
    return claim(now -> claims.isEmpty() ? policy.mergeAll(now) : null);
  }

  /** Claims trees for a merge; under the manifest lock, so that no flush is being placed. */
  private LevelPolicy.@Nullable Plan claim(Function<Levels, LevelPolicy.@Nullable Plan> choice) {
    manifest.lock();
    structure.lock();
    try {
      LevelPolicy.Plan plan = choice.apply(levels);
      if (plan != null) {
        claims = claims.with(plan);
      }
      return plan;
    } finally {
      structure.unlock();
      manifest.unlock();
    }
  }

  private void unclaim(LevelPolicy.Plan plan) {
    structure.lock();
    try {
      claims = claims.without(plan);
    } finally {
      structure.unlock();
    }
    shelf.signal();
  }

  private void execute(LevelPolicy.Plan plan) {
    try {
      merge(plan);
    } finally {
      unclaim(plan);
    }
  }

  private void merge(LevelPolicy.Plan plan) {
    Version version = acquire();
    try {
      List<StoredTree> results;
      if (plan.isMove()) {
        results = plan.sources().getFirst().trees();
      } else {
        List<Run> inputs = new ArrayList<>();
        plan.sources().forEach(run -> inputs.add(run.run()));
        if (!plan.overlapped().isEmpty()) {
          inputs.add(StoredRun.of(plan.overlapped()).run());
        }
        results = store.mergeToFiles(inputs, plan.bottom(), this::doUrgent);
      }
      commitLevels(
          now -> policy.apply(now, plan, results), List.of(), plan.isMove() ? List.of() : results);
      retireInputs(plan, results);
    } finally {
      release(version);
    }
  }

  private void retireInputs(LevelPolicy.Plan plan, List<StoredTree> results) {
    List<StoredTree> inputs = new ArrayList<>(plan.overlapped());
    plan.sources().forEach(run -> inputs.addAll(run.trees()));
    inputs.removeAll(results);
    versions.retire(inputs.stream().map(store::retired).toList());
    Run output = StoredRun.of(results).run();
    retireValueFiles(
        inputs.stream()
            .flatMapToLong(input -> Arrays.stream(input.tree().largeFiles()))
            .filter(file -> !output.refersTo(file))
            .boxed()
            .toList());
  }

  /**
   * Makes a change of the levels durable, then visible; flushed items leave the shelf with it. If
   * that fails, files that were made for it go, unless a crash could bring the new state back.
   */
  private void commitLevels(
      UnaryOperator<Levels> change, List<ShelfItem> flushed, List<StoredTree> made) {
    manifest.lock();
    try {
      Levels next = change.apply(levels());
      LogPosition position = flushed.isEmpty() ? stored : flushed.getFirst().span().end();
      commit(next, position, flushed, made);
    } finally {
      manifest.unlock();
    }
  }

  /** Does the same under the manifest lock. */
  private void commit(
      Levels next, LogPosition position, List<ShelfItem> flushed, List<StoredTree> made) {
    if (closed) {
      throw new ClosedException("the database was closed");
    }
    try {
      checkpoint.write(next, position);
    } catch (DatabaseException e) {
      made.stream().filter(tree -> !checkpoint.names(tree)).forEach(store::dispose);
      throw e;
    }
    structure.lock();
    try {
      levels = next;
      stored = position;
      if (flushed.isEmpty()) {
        publish();
      } else {
        shelf.replace(flushed, List.of());
      }
    } finally {
      structure.unlock();
    }
    checkpoint.dropLogs(position);
  }
}
