package io.github.coppicedb.storage;

import java.io.IOException;
import java.nio.file.Path;

/** A process that holds a directory until its input ends; run by {@link DirectoryLockTest}. */
final class LockHolderMain {
  private LockHolderMain() {}

  public static void main(String[] args) throws IOException {
    try (DirectoryStorage storage = DirectoryStorage.open(Path.of(args[0]), true)) {
      System.out.println("locked " + storage.location());
      System.in.readAllBytes();
    }
  }
}
