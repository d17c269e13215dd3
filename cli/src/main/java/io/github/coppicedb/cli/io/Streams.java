package io.github.coppicedb.cli.io;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What a run of the command line reads from and writes to.
 *
 * @param in raw bytes
 * @param out results, raw bytes
 * @param err messages for people, UTF-8
 * @param outTerminal whether a person looks at {@code out}
 * @param errTerminal whether a person looks at {@code err}
 */
public record Streams(
    InputStream in, Output out, PrintStream err, boolean outTerminal, boolean errTerminal) {
  /** Returns the standard streams of this process. */
  public static Streams ofProcess() {
    return new Streams(
        new FileInputStream(FileDescriptor.in),
        new Output(new FileOutputStream(FileDescriptor.out), Descriptors.isPipe(Descriptors.OUT)),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        Descriptors.isTerminal(Descriptors.OUT),
        Descriptors.isTerminal(Descriptors.ERR));
  }
}
