package io.github.coppicedb.bench.run;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;

/** The versions of the engines, written into a file by the build from where they are pinned. */
final class Versions {
  private Versions() {}

  static Optional<String> of(String artifact) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Versions.class.getResourceAsStream("versions.properties")) {
      if (in != null) {
        properties.load(in);
      }
    }
    return Optional.ofNullable(properties.getProperty(artifact));
  }
}
