package io.github.coppicedb.cli.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Files that the user names. */
public final class InputFiles {
  private InputFiles() {}

  /** Returns the path that text names. */
  public static Path path(String text) {
    if (text.isEmpty()) {
      throw CommandException.usage("an empty name is no file or directory");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw CommandException.usage(
          "this name cannot be a path in this locale: %s; try LC_ALL=C.UTF-8".formatted(text));
    }
  }

  /** Opens a file to read from its beginning. */
  public static InputStream open(Path file) {
    if (Files.isDirectory(file)) {
      throw CommandException.failure("cannot read %s: it is a directory".formatted(file));
    }
    try {
      return Files.newInputStream(file);
    } catch (IOException e) {
      throw unreadable(file.toString(), e);
    }
  }

  /** Returns what to tell about a failed read. */
  public static CommandException unreadable(String name, IOException e) {
    String reason =
        switch (e) {
          case NoSuchFileException _ -> "there is no such file";
          case AccessDeniedException _ -> "permission denied";
          default -> String.valueOf(e.getMessage());
        };
    return CommandException.failure("cannot read %s: %s".formatted(name, reason), e);
  }
}
