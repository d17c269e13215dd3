package io.github.coppicedb.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, from the manifest of its jar. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {
      "coppice " + Objects.requireNonNullElse(version, "(built from source)"),
      "Java " + Runtime.version()
    };
  }
}
