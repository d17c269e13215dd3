package io.github.coppicedb.lsm;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.storage.Storage;
import java.util.List;

/**
 * Removes files that nothing refers to any more. A failure does no harm: such files go when the
 * database is opened next. Stateless.
 */
public final class Leftovers {
  private Leftovers() {}

  /** Removes a file; returns whether that succeeded. */
  public static boolean remove(Storage storage, String name) {
    try {
      storage.delete(name);
      return true;
    } catch (StorageFailureException | ClosedException e) {
      return false;
    }
  }

  /** Returns the names of all files, or none when they cannot be listed. */
  public static List<String> list(Storage storage) {
    try {
      return storage.list();
    } catch (StorageFailureException e) {
      return List.of();
    }
  }
}
