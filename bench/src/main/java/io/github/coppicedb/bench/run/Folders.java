package io.github.coppicedb.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Removes what runs leave behind. */
public final class Folders {
  private Folders() {}

  /**
   * Makes a folder for databases: where the results will lie, as that is the disk that the user
   * chose; else among the system's temporary files.
   */
  public static Path work(@Nullable Path results) throws IOException {
    Path parent =
        results == null
            ? Path.of(System.getProperty("java.io.tmpdir"))
            : Files.createDirectories(results);
    return Files.createTempDirectory(parent, "coppice-bench");
  }

  /** Removes a folder and all that is in it; does nothing when it is not there. */
  public static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(folder)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.delete(path);
    }
  }
}
