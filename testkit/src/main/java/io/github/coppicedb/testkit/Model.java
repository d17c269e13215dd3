package io.github.coppicedb.testkit;

import io.github.coppicedb.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import org.jspecify.annotations.Nullable;

/**
 * What a database must answer: every version that it went through, and which of them a crash may
 * leave. After a crash the database holds one of the versions from the last one that was
 * acknowledged as durable against this kind of crash up to the latest, or the one that a commit was
 * about to make when the crash came.
 */
public final class Model {
  private record Version(ModelState state, WriteSet writes, long bytes) {}

  private final Durability level;
  private final List<Version> versions = new ArrayList<>();
  private @Nullable ModelState inFlight;
  private int nextTable = 1;
  // The least versions that a power cut, and the end of the process, can leave.
  private int powerSafe;
  private int processSafe;

  /** Makes a model of an empty database that is opened at a durability level. */
  public Model(Durability level) {
    this.level = level;
    versions.add(new Version(ModelState.EMPTY, WriteSet.of(List.of()), 0));
  }

  /** Returns what the database holds now. */
  public ModelState current() {
    return versions.getLast().state;
  }

  /** Begins a write transaction on the current version. */
  public ModelTransaction begin() {
    return new ModelTransaction(versions.size() - 1, current());
  }

  /** Returns whether a transaction cannot commit, since a later commit wrote what it wrote. */
  public boolean conflicts(ModelTransaction transaction) {
    WriteSet mine = WriteSet.of(transaction.changes());
    return versions.subList(transaction.beganAt() + 1, versions.size()).stream()
        .anyMatch(version -> version.writes.meets(mine));
  }

  /**
   * Returns about how much heap it takes to remember each commit since a transaction began: its
   * keys, or all of it at the level at which large commits stay in heap.
   */
  public LongSummaryStatistics commitsSince(ModelTransaction transaction) {
    return versions.subList(transaction.beganAt() + 1, versions.size()).stream()
        .mapToLong(Version::bytes)
        .summaryStatistics();
  }

  /** Notes that a commit is under way: a crash may leave what it makes, or not. */
  public void prepare(ModelTransaction transaction) {
    inFlight = current().with(transaction.changes());
  }

  /** Makes the changes of a transaction, which has no conflict, the current version. */
  public void commit(ModelTransaction transaction) {
    if (!transaction.changes().isEmpty()) {
      publish(current().with(transaction.changes()), transaction.changes());
    }
  }

  /** Notes that a table is being made. */
  public void prepareTable(String name) {
    inFlight = current().withTable(name, nextTable);
  }

  /** Adds a table and returns its number. */
  public int createTable(String name) {
    publish(current().withTable(name, nextTable), List.of());
    return nextTable++;
  }

  /** Notes that a table is being dropped. */
  public void prepareDrop(String name) {
    inFlight = current().withoutTable(name);
  }

  /** Drops a table: a change of all of its keys. */
  public void dropTable(String name) {
    Integer number = current().number(name);
    if (number != null) {
      Change all = new Change.DeleteRange(number, RangeSpec.ALL);
      publish(current().withoutTable(name), List.of(all));
    }
  }

  /**
   * Notes that nothing so far can be lost any more: after a sync, a drain, a compaction or a close.
   */
  public void allDurable() {
    inFlight = null;
    powerSafe = versions.size() - 1;
    processSafe = powerSafe;
  }

  /**
   * Takes over what was found after a power cut or the end of the process.
   *
   * @return null, or how the found state differs from the least and the latest of the allowed ones
   */
  public @Nullable String recover(ModelState found, boolean powerCut) {
    int least = powerCut ? powerSafe : processSafe;
    if (inFlight != null) {
      versions.add(new Version(inFlight, WriteSet.of(List.of()), 0));
    }
    int match = versions.size() - 1;
    while (match >= least && versions.get(match).state.difference(found) != null) {
      match--;
    }
    if (match < least) {
      return "none of %d allowed states; to the least: %s; to the latest: %s"
          .formatted(
              versions.size() - least,
              versions.get(least).state.difference(found),
              current().difference(found));
    }
    settle(match, powerCut);
    return null;
  }

  private void settle(int match, boolean powerCut) {
    versions.subList(match + 1, versions.size()).clear();
    inFlight = null;
    processSafe = match;
    // What a power cut left has reached the device, and an open at the safe level forces the rest.
    boolean forced = powerCut || level == Durability.POWER_SAFE;
    powerSafe = forced ? match : Math.min(powerSafe, match);
  }

  private void publish(ModelState state, List<Change> changes) {
    inFlight = null;
    boolean inHeap = level == Durability.UNSAVED_COMMITS_AT_RISK;
    long bytes = changes.stream().mapToLong(inHeap ? Change::bytes : Change::traceBytes).sum();
    versions.add(new Version(state, WriteSet.of(changes), bytes));
    int latest = versions.size() - 1;
    powerSafe = level == Durability.POWER_SAFE ? latest : powerSafe;
    boolean survivesKill = level == Durability.POWER_SAFE || level == Durability.PROCESS_SAFE;
    processSafe = survivesKill ? latest : processSafe;
  }
}
