package io.github.coppicedb.tx;

import io.github.coppicedb.Durability;
import io.github.coppicedb.lsm.Background;
import io.github.coppicedb.lsm.Forest;
import io.github.coppicedb.lsm.PrivateLayers;
import io.github.coppicedb.lsm.TreeStore;
import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.lsm.ValueStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the transactions of one database share. Thread-safe.
 *
 * @param forest the shared trees
 * @param store makes tree files
 * @param values makes value files
 * @param pipeline takes the commits
 * @param tuning sizes
 * @param background does the work on private layers
 * @param lifecycle whether the database is open
 * @param durability what commits promise
 * @param largeTransactions how many transactions have overflowed their private top
 * @param lastBytes how many bytes the last transaction took that has not
 */
public record TransactionContext(
    Forest forest,
    TreeStore store,
    ValueStore values,
    CommitPipeline pipeline,
    Tuning tuning,
    Background background,
    Lifecycle lifecycle,
    Durability durability,
    AtomicInteger largeTransactions,
    AtomicInteger lastBytes) {
  /** The next transaction may need this part more than the last one. */
  private static final int EXPECTED_MORE = 8;

  /** Takes a snapshot of the current state. */
  public ReadSnapshot snapshot() {
    return new ReadSnapshot(forest, values, lifecycle);
  }

  /** Begins a write transaction. */
  public Transaction begin() {
    return Transaction.begin(this);
  }

  PrivateLayers newLayers() {
    return new PrivateLayers(store, tuning, background, largeTransactions);
  }

  /** Returns how many bytes a transaction is likely to take, if it takes many. */
  int expectedBytes() {
    int last = lastBytes.getPlain();
    return Math.min(tuning.topBytes(), last + last / EXPECTED_MORE);
  }

  /** Takes note of the size of a transaction that has not overflowed its private top. */
  void noteBytes(int bytes) {
    lastBytes.setPlain(bytes);
  }

  void commit(CommitRequest request) {
    pipeline.commit(request);
  }

  /** Returns whether large commits go to tree files at once, rather than into memory. */
  boolean storesLargeCommits() {
    return durability != Durability.UNSAVED_COMMITS_AT_RISK;
  }

  void dropValueFiles(List<Long> files) {
    if (!lifecycle.isClosed()) {
      forest.retireValueFiles(files);
    }
  }
}
