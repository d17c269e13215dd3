package io.github.coppicedb.log;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.UnsupportedFormatException;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.storage.MappedFile;
import io.github.coppicedb.storage.OutputFile;
import io.github.coppicedb.storage.Storage;
import org.jspecify.annotations.Nullable;

/**
 * Reads and replaces the manifest. Its replacement is the only publication of a database: at any
 * moment a crash leaves the old manifest or the new one, whole. Stateless; the caller lets one
 * thread at a time write.
 */
public final class ManifestStore {
  private ManifestStore() {}

  /**
   * Reads the manifest.
   *
   * @return its content, or null if there is none
   * @throws CorruptionException if it is damaged
   * @throws UnsupportedFormatException if it is of a newer version, or no manifest
   */
  public static @Nullable ManifestState read(Storage storage) {
    if (!storage.list().contains(FileNames.MANIFEST)) {
      return null;
    }
    try (MappedFile file = storage.map(FileNames.MANIFEST)) {
      return ManifestCodec.decode(file.segment());
    }
  }

  /**
   * Replaces the manifest. When this returns, the new one is durable, and so are all changes of
   * names made before. Files that only the old manifest names may be removed from then on, not
   * before.
   *
   * @throws StorageFailureException if that failed: then a crash can leave either manifest, and the
   *     files of both must stay until a later write has returned or the database is opened again
   */
  public static void write(Storage storage, ManifestState state) {
    byte[] bytes = ManifestCodec.encode(state);
    storage.delete(FileNames.MANIFEST_TMP);
    try (OutputFile file = storage.create(FileNames.MANIFEST_TMP)) {
      file.write(bytes, 0, bytes.length);
      file.force();
    }
    storage.rename(FileNames.MANIFEST_TMP, FileNames.MANIFEST);
    storage.forceDirectory();
  }
}
