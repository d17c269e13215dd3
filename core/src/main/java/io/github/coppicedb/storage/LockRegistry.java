package io.github.coppicedb.storage;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The directories that are open in this process. The one piece of static state: a lock of the
 * operating system belongs to the whole process, so the process needs one place that knows its
 * locks. Without it a second open would open the lock file again, and closing that second handle
 * would silently drop the lock of the first (POSIX record locks).
 *
 * <p>Thread-safe.
 */
final class LockRegistry {
  private static final Map<Path, Holder> HELD = new HashMap<>();

  /**
   * Who holds a directory.
   *
   * @param fileKey identity of the lock file, which also finds it under another path; may be null
   * @param description the holder, for messages
   */
  private record Holder(@Nullable Object fileKey, String description) {}

  private LockRegistry() {}

  /**
   * Enters a directory, unless it is entered already.
   *
   * @return null when entered, else a description of the holder
   */
  static @Nullable String enter(Path realPath, @Nullable Object fileKey, String description) {
    synchronized (HELD) {
      Holder same = HELD.get(realPath);
      if (same != null) {
        return same.description;
      }
      for (Holder holder : HELD.values()) {
        if (fileKey != null && Objects.equals(holder.fileKey, fileKey)) {
          return holder.description;
        }
      }
      HELD.put(realPath, new Holder(fileKey, description));
      return null;
    }
  }

  /** Takes a directory out. */
  static void leave(Path realPath) {
    synchronized (HELD) {
      HELD.remove(realPath);
    }
  }
}
