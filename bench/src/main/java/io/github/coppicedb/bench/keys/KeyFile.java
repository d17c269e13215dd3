package io.github.coppicedb.bench.keys;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Keys in a file as the children read them: a count of four bytes, then for each key a length of
 * two bytes and the bytes; numbers with the high byte first.
 */
public final class KeyFile {
  private static final int BUFFER = 1 << 16;

  private KeyFile() {}

  /** Writes keys in their order. */
  public static void write(Path file, List<byte[]> keys) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER))) {
      out.writeInt(keys.size());
      for (byte[] key : keys) {
        out.writeShort(key.length);
        out.write(key);
      }
    }
  }

  /** Takes a key. */
  @FunctionalInterface
  public interface Taker {
    /** Takes it, and may keep the array. */
    void take(byte[] key) throws Exception;
  }

  /** Reads at most so many keys, each when the one before was taken; returns how many. */
  public static int stream(Path file, int most, Taker taker) throws Exception {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER))) {
      int count = Math.min(in.readInt(), most);
      for (int i = 0; i < count; i++) {
        taker.take(next(in));
      }
      return count;
    }
  }

  /** Reads at most so many keys. */
  public static KeyBlock read(Path file, int most) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER))) {
      int count = Math.min(in.readInt(), most);
      KeyBlock.Builder keys = new KeyBlock.Builder(count);
      for (int i = 0; i < count; i++) {
        keys.add(next(in));
      }
      return keys.build();
    }
  }

  private static byte[] next(DataInputStream in) throws IOException {
    byte[] key = new byte[in.readUnsignedShort()];
    in.readFully(key);
    return key;
  }
}
