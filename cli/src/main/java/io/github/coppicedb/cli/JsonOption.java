package io.github.coppicedb.cli;

import picocli.CommandLine.Option;

/** Whether a program reads the result. */
final class JsonOption {
  @Option(
      names = "--json",
      description = "Print JSON; bytes that are not UTF-8 in hex, as keyHex, valueHex.")
  private boolean json;

  boolean isJson() {
    return json;
  }
}
