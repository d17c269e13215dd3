package io.github.coppicedb.lsm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The sealed layers that are not in the levels yet, newest first, and who is at work on which. Work
 * on layers is claimed first and then puts one layer in the place of several neighbours, so that
 * the order by age never changes. Thread-safe; the lock is the owner's, so that he can publish
 * under it.
 */
final class Shelf {
  private final ReentrantLock lock;
  private final Condition changed;
  private final Runnable publish;
  private final Set<ShelfItem> claimed = Collections.newSetFromMap(new IdentityHashMap<>());
  private boolean frozen;
  private boolean joined;
  private long progress;
  private volatile List<ShelfItem> items = List.of();
  private final AtomicInteger changes = new AtomicInteger();
  private long pushes;

  /**
   * Makes an empty shelf.
   *
   * @param lock guards the shelf
   * @param publish called under the lock after each change
   */
  Shelf(ReentrantLock lock, Runnable publish) {
    this.lock = lock;
    this.changed = lock.newCondition();
    this.publish = publish;
  }

  List<ShelfItem> items() {
    return items;
  }

  /** Returns how often the items were changed, or one less while that is going on. */
  int changes() {
    return changes.get();
  }

  boolean isEmpty() {
    return items.isEmpty();
  }

  long heapBytes() {
    return sum(ShelfItem::heapBytes);
  }

  long packedBytes() {
    return sum(item -> item.isTop() ? 0 : item.heapBytes());
  }

  long logBytes() {
    return sum(ShelfItem::logBytes);
  }

  long topCount() {
    return sum(item -> item.isTop() ? 1 : 0);
  }

  long topBytes() {
    return sum(item -> item.isTop() ? item.heapBytes() : 0);
  }

  private long sum(ToLongFunction<ShelfItem> measure) {
    return items.stream().mapToLong(measure).sum();
  }

  /** Puts the layers of one commit, or of whole commits in one layer, on top, newest first. */
  void push(List<ShelfItem> newest) {
    lock.lock();
    try {
      pushes++;
      List<ShelfItem> all = new ArrayList<>(newest.size() + items.size());
      newest.forEach(item -> all.add(item.withNumber(pushes)));
      all.addAll(items);
      setItems(all);
    } finally {
      lock.unlock();
    }
  }

  /** Claims the oldest sealed top that nobody packs yet; empty when there is none. */
  List<ShelfItem> claimTop() {
    return claim(
        () -> {
          for (ShelfItem item : items.reversed()) {
            if (item.isTop() && !claimed.contains(item)) {
              return List.of(item);
            }
          }
          return List.of();
        });
  }

  /** Claims neighbours of one rank in heap, at least so many; empty when there are none. */
  List<ShelfItem> claimRank(int fanIn) {
    return claim(
        () -> {
          List<ShelfItem> best = List.of();
          List<ShelfItem> row = new ArrayList<>();
          for (ShelfItem item : items) {
            boolean free = item.isHeap() && !claimed.contains(item);
            if (!free
                || (!row.isEmpty()
                    && !(row.getFirst().rank() == item.rank() && joins(row, item)))) {
              row.clear();
            }
            if (free) {
              row.add(item);
            }
            if (row.size() >= fanIn && (best.isEmpty() || item.rank() <= best.getFirst().rank())) {
              best = List.copyOf(row.subList(row.size() - fanIn, row.size()));
            }
          }
          return best;
        });
  }

  /**
   * Claims the oldest packed layers, as many as can be stored together; empty when none can. All
   * layers of a commit are stored together, or a crash could find half of it. Layers in heap and in
   * files are not mixed otherwise, since files need only be named.
   */
  List<ShelfItem> claimOldest() {
    return claim(
        () -> {
          List<ShelfItem> oldest = new ArrayList<>();
          int whole = 0;
          for (ShelfItem item : items.reversed()) {
            boolean isInside = !oldest.isEmpty() && oldest.getFirst().sharesCommitWith(item);
            if (!isInside) {
              whole = oldest.size();
            }
            boolean fits = oldest.isEmpty() || (item.isHeap() && oldest.getFirst().isHeap());
            if (claimed.contains(item) || item.isTop() || !(isInside || fits)) {
              return oldestOf(oldest, whole);
            }
            oldest.addFirst(item);
          }
          return oldest;
        });
  }

  /** Returns the oldest ones of a list that is newest first. */
  private static List<ShelfItem> oldestOf(List<ShelfItem> items, int count) {
    return List.copyOf(items.subList(items.size() - count, items.size()));
  }

  /** Claims the row of neighbours in heap that takes most memory; empty when there is none. */
  List<ShelfItem> claimLargestRow() {
    return claim(
        () -> {
          List<ShelfItem> best = List.of();
          List<ShelfItem> row = new ArrayList<>();
          for (ShelfItem item : items) {
            boolean free = item.isHeap() && !claimed.contains(item);
            if (!free || (!row.isEmpty() && !joins(row, item))) {
              row.clear();
            }
            if (free) {
              row.add(item);
            }
            // A layer may take no bytes, when all that it has is masks.
            if (!row.isEmpty() && (best.isEmpty() || bytes(row) > bytes(best))) {
              best = List.copyOf(row);
            }
          }
          return best;
        });
  }

  private boolean joins(List<ShelfItem> row, ShelfItem item) {
    return joined || row.getFirst().span().section() == item.span().section();
  }

  /**
   * Lets layers of all sections be merged from now on: nobody goes back to a savepoint any more.
   */
  void joinSections() {
    lock.lock();
    try {
      joined = true;
    } finally {
      lock.unlock();
    }
  }

  /** Puts other layers in the place of claimed neighbours, and ends the claim. */
  void replace(List<ShelfItem> old, List<ShelfItem> replacement) {
    lock.lock();
    try {
      List<ShelfItem> all = new ArrayList<>(items);
      int at = indexOf(all, old.getFirst());
      all.subList(at, at + old.size()).clear();
      all.addAll(at, replacement);
      old.forEach(claimed::remove);
      setItems(all);
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("ReferenceEquality") // the very item is meant, not one that looks like it
  private static int indexOf(List<ShelfItem> items, ShelfItem item) {
    int at = 0;
    while (items.get(at) != item) {
      at++;
    }
    return at;
  }

  /** Takes layers away as soon as nobody works on any, and returns them. */
  List<ShelfItem> removeIf(Predicate<ShelfItem> condition) {
    lock.lock();
    try {
      awaitQuiet();
      List<ShelfItem> gone = items.stream().filter(condition).toList();
      setItems(items.stream().filter(condition.negate()).toList());
      return gone;
    } finally {
      lock.unlock();
    }
  }

  /** Returns when nobody works on a layer, and gives out no more claims. */
  void freeze() {
    lock.lock();
    try {
      frozen = true;
      awaitQuiet();
    } finally {
      lock.unlock();
    }
  }

  /** Returns when nobody works on a layer. */
  void settle() {
    lock.lock();
    try {
      awaitQuiet();
    } finally {
      lock.unlock();
    }
  }

  private void awaitQuiet() {
    while (!claimed.isEmpty()) {
      changed.awaitUninterruptibly();
    }
  }

  /** Ends a claim without a change. */
  void unclaim(List<ShelfItem> old) {
    lock.lock();
    try {
      old.forEach(claimed::remove);
      wakeAll();
    } finally {
      lock.unlock();
    }
  }

  /** Wakes all who wait for progress. */
  void signal() {
    lock.lock();
    try {
      wakeAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until something changes, for at most so many milliseconds; interrupts are kept. */
  void awaitChange(long millis) {
    boolean interrupted = Thread.interrupted();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    lock.lock();
    try {
      long seen = progress;
      long left = deadline - System.nanoTime();
      while (seen == progress && left > 0) {
        try {
          left = changed.awaitNanos(left);
        } catch (InterruptedException e) {
          interrupted = true;
          left = deadline - System.nanoTime();
        }
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void wakeAll() {
    progress++;
    changed.signalAll();
  }

  private interface Choice {
    List<ShelfItem> make();
  }

  private List<ShelfItem> claim(Choice choice) {
    lock.lock();
    try {
      List<ShelfItem> chosen = frozen ? List.of() : choice.make();
      claimed.addAll(chosen);
      return chosen;
    } finally {
      lock.unlock();
    }
  }

  private void setItems(List<ShelfItem> all) {
    items = List.copyOf(all);
    changes.incrementAndGet();
    publish.run();
    wakeAll();
  }

  private static long bytes(List<ShelfItem> items) {
    return items.stream().mapToLong(ShelfItem::heapBytes).sum();
  }
}
