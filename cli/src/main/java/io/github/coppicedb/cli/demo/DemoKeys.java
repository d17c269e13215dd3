package io.github.coppicedb.cli.demo;

import io.github.coppicedb.Limits;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.InputFiles;
import io.github.coppicedb.cli.io.LineReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The keys of a demo: distinct, in random order.
 *
 * @param keys not to be changed
 * @param bytes their lengths summed up
 */
record DemoKeys(List<byte[]> keys, long bytes) {
  private static final long SEED = 1;

  /** Makes paths. */
  static DemoKeys generated(int count) {
    PathGenerator paths = new PathGenerator(SEED);
    List<byte[]> keys = new ArrayList<>(count);
    while (keys.size() < count) {
      keys.add(paths.next());
    }
    return shuffled(keys);
  }

  /** Reads the first lines of a file, each once. */
  static DemoKeys read(Path file, int count) {
    List<byte[]> keys = new ArrayList<>();
    try (InputStream in = InputFiles.open(file)) {
      LineReader lines = new LineReader(in, Limits.MAX_KEY_BYTES);
      while (keys.size() < count && lines.next()) {
        keys.add(lines.line());
      }
    } catch (IOException e) {
      throw InputFiles.unreadable(file.toString(), e);
    }
    if (keys.isEmpty()) {
      throw CommandException.failure("%s holds no key; give one key a line".formatted(file));
    }
    return shuffled(distinct(keys));
  }

  /** Returns a key that is not among these: they come from lines, which hold no newline. */
  static byte[] absent(byte[] key) {
    byte[] longer = Arrays.copyOf(key, key.length + 1);
    longer[key.length] = '\n';
    return longer;
  }

  int count() {
    return keys.size();
  }

  private static List<byte[]> distinct(List<byte[]> keys) {
    keys.sort(Arrays::compareUnsigned);
    List<byte[]> once = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      if (once.isEmpty() || !Arrays.equals(once.getLast(), key)) {
        once.add(key);
      }
    }
    return once;
  }

  private static DemoKeys shuffled(List<byte[]> keys) {
    Collections.shuffle(keys, new Random(SEED));
    return new DemoKeys(keys, keys.stream().mapToLong(key -> key.length).sum());
  }
}
