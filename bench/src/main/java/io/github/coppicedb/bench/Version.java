package io.github.coppicedb.bench;

import java.util.Optional;
import picocli.CommandLine;

/** The version that the build wrote into the jar. */
final class Version implements CommandLine.IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {Optional.ofNullable(version).orElse("not from a jar")};
  }
}
