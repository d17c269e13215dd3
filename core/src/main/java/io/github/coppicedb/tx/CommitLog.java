package io.github.coppicedb.tx;

import io.github.coppicedb.DatabaseException;
import io.github.coppicedb.Durability;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.format.LogFormat;
import io.github.coppicedb.log.LogPosition;
import io.github.coppicedb.log.LogWriter;
import io.github.coppicedb.lsm.FileNumbers;
import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.Storage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The log that commits are appended to: a row of log files, each closed when it has grown large.
 *
 * <p>A write that fails is taken back: the file is cut to where it was whole, and the next commit
 * goes to a new file; so a full disk stops commits only as long as it is full. A force that fails
 * leaves unknown what is on the device: the log stays broken until the database is opened again.
 *
 * <p>Under the commit lock, but for {@link #endForce}. One thread at a time forces, so that none
 * passes by a failure that another was told; who closes a file waits for it.
 */
final class CommitLog implements AutoCloseable {
  private final Storage storage;
  private final long databaseId;
  private final FileNumbers numbers;
  private final Tuning tuning;
  private final Durability durability;
  private LogWriter writer;
  private long number;
  // The sequence of the next frame to be committed, whatever a failed writer has counted.
  private long sequence;
  // Where the frames of acknowledged commits end.
  private long acknowledged;
  private boolean cutIsDue;
  private boolean newFileIsDue;
  private volatile @Nullable StorageFailureException broken;
  // Taken after the commit lock, if both are taken.
  private final ReentrantLock forcing = new ReentrantLock();

  CommitLog(
      Storage storage,
      long databaseId,
      FileNumbers numbers,
      Tuning tuning,
      Durability durability,
      long firstSequence) {
    this.storage = storage;
    this.databaseId = databaseId;
    this.numbers = numbers;
    this.tuning = tuning;
    this.durability = durability;
    this.sequence = firstSequence;
    this.number = numbers.next();
    this.writer = LogWriter.create(storage, number, databaseId, firstSequence);
    this.acknowledged = writer.position();
  }

  /** Returns the place behind the last frame that was appended. */
  LogPosition position() {
    return new LogPosition(number, writer.position(), writer.nextSequence());
  }

  /** Returns whether the log takes no more commits. */
  boolean isBroken() {
    return broken != null;
  }

  /** Makes the log ready for a group of commits, or says why it cannot be. */
  void prepare() {
    StorageFailureException first = broken;
    if (first != null) {
      throw new StorageFailureException(
          "the database takes no more commits since the log could not be forced; close it and open"
              + " it again: "
              + first.getMessage(),
          first,
          first.isDiskFull());
    }
    if (cutIsDue) {
      cut();
    }
    if (newFileIsDue) {
      begin();
    } else if (writer.position() >= tuning.logBytes()) {
      rotate();
    }
  }

  void appendBatch(int length, LogWriter.Payload batch) {
    append(LogFormat.BATCH, length, batch);
  }

  void appendAdoption(long[] treeFiles) {
    byte[] payload = LogFormat.adoptPayload(treeFiles);
    append(
        LogFormat.ADOPT,
        payload.length,
        (to, at) -> System.arraycopy(payload, 0, to, at, payload.length));
  }

  private void append(byte kind, int length, LogWriter.Payload payload) {
    try {
      writer.append(kind, length, payload);
    } catch (StorageFailureException e) {
      noteLoss(e);
      throw e;
    }
  }

  /** Brings what was appended to where the durability wants it before a commit is acknowledged. */
  void commit(boolean namesFiles) {
    switch (durability) {
      case POWER_SAFE -> writeAndForce();
      case PROCESS_SAFE -> write();
      case RECENT_COMMITS_AT_RISK -> {
        if (namesFiles) {
          writeAndForce();
        }
      }
      case UNSAVED_COMMITS_AT_RISK -> {
        // Nothing was appended.
      }
    }
    sequence = writer.nextSequence();
    acknowledged = writer.position();
  }

  /**
   * Takes back all that was appended since the last commit that went well.
   *
   * @return whether no crash can bring any of it back; if not, what it names must be kept
   */
  boolean takeBack() {
    if (broken != null) {
      return false;
    }
    if (!cutIsDue && !writer.isBroken() && writer.writtenPosition() <= acknowledged) {
      writer.discardSince(acknowledged, sequence);
      return true;
    }
    cutIsDue = true;
    try {
      cut();
      return true;
    } catch (DatabaseException e) {
      // Tried again before the next commit.
      return false;
    }
  }

  /** Writes and forces what is pending. */
  void forcePending() {
    if (isPending()) {
      writeAndForce();
    }
  }

  /** Returns whether something that was committed is still to be forced, and can be. */
  boolean isPending() {
    return broken == null
        && !cutIsDue
        && !newFileIsDue
        && writer.durablePosition() < writer.position();
  }

  /**
   * Writes what is pending, to be forced by {@link #endForce}.
   *
   * @return whether there is something to be forced; then the same thread must end it
   */
  boolean beginForce() {
    if (!isPending()) {
      return false;
    }
    write();
    forcing.lock();
    return true;
  }

  /** Forces what was begun. Without the commit lock: commits go on meanwhile. */
  void endForce() {
    try {
      force();
    } finally {
      forcing.unlock();
    }
  }

  private void write() {
    try {
      writer.write();
    } catch (StorageFailureException e) {
      noteLoss(e);
      throw e;
    }
  }

  /** Ends the log if acknowledged commits were not written yet: they cannot be taken back. */
  private void noteLoss(StorageFailureException e) {
    if (broken == null && writer.writtenPosition() < acknowledged) {
      broken = e;
    }
  }

  private void writeAndForce() {
    write();
    force();
  }

  private void force() {
    forcing.lock();
    try {
      writer.force();
    } catch (StorageFailureException e) {
      broken = e;
      throw e;
    } finally {
      forcing.unlock();
    }
  }

  private void closeFile() {
    forcing.lock();
    try {
      writer.close();
    } finally {
      forcing.unlock();
    }
  }

  /** Cuts what was taken back off the file, which then is at its end. */
  private void cut() {
    closeFile();
    storage.truncate(writer.name(), acknowledged);
    cutIsDue = false;
    newFileIsDue = true;
  }

  /**
   * Goes on in a new file if this one has frames, so that it can be removed when they are stored.
   */
  void rotateIfUsed() {
    if (writer.position() > LogFormat.FIRST_FRAME) {
      rotate();
    }
  }

  private void rotate() {
    writeAndForce();
    LogWriter full = writer;
    begin();
    full.close();
  }

  private void begin() {
    long next = numbers.next();
    writer = LogWriter.create(storage, next, databaseId, sequence);
    number = next;
    acknowledged = writer.position();
    newFileIsDue = false;
  }

  /** Forces what is pending and closes the file. */
  @Override
  public void close() {
    try {
      if (cutIsDue) {
        cut();
      }
      forcePending();
    } finally {
      closeFile();
    }
  }
}
