package io.github.coppicedb.bench.keys;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Where a set of keys comes from. */
public sealed interface KeySource {
  /** The most bytes that a key may have: LMDB takes no longer ones. */
  int MOST_BYTES = 511;

  /** Returns the name that reports use. */
  String name();

  /**
   * Returns distinct keys, in the order of the source.
   *
   * @param most how many are wanted
   * @return fewer only if the source has no more
   */
  List<byte[]> keys(int most) throws IOException;

  /**
   * Returns distinct keys of the same kind for runs that are not measured.
   *
   * @param most how many are wanted
   * @param shuffled all keys of {@link #keys}, of which the measured runs take the first
   * @return fewer only if the source has no more
   */
  List<byte[]> others(int most, List<byte[]> shuffled);

  /** Returns, in a sentence, which keys {@link #others} returns. */
  String saysOthers();

  /** A generator that is built in. */
  record Generated(BuiltInSet set, long seed) implements KeySource {
    @Override
    public String name() {
      return set.setName();
    }

    @Override
    public List<byte[]> keys(int most) {
      KeyGenerator generator = set.generator(seed);
      DistinctKeys seen = new DistinctKeys();
      List<byte[]> keys = new ArrayList<>(most);
      while (keys.size() < most) {
        byte[] key = generator.next();
        if (key.length > 0 && seen.add(key)) {
          keys.add(key);
        }
      }
      return keys;
    }

    /** From another seed; common keys are in both: a fourth of the words, few of the others. */
    @Override
    public List<byte[]> others(int most, List<byte[]> shuffled) {
      long otherSeed = ~seed;
      List<byte[]> keys = new Generated(set, otherSeed).keys(most);
      Collections.shuffle(keys, new Random(otherSeed));
      return keys;
    }

    @Override
    public String saysOthers() {
      return "from another seed; common ones are in both";
    }
  }

  /** A file of keys, one a line; packed if its name ends in .gz or .xz (needs the program xz). */
  record Lines(String name, Path file) implements KeySource {
    @Override
    public List<byte[]> keys(int most) throws IOException {
      DistinctKeys seen = new DistinctKeys();
      List<byte[]> keys = new ArrayList<>();
      try (InputStream in = new BufferedInputStream(open(), 1 << 16)) {
        for (byte[] line = line(in); line != null; line = line(in)) {
          if (line.length > MOST_BYTES) {
            throw new IOException(
                "%s: a key of %d bytes; LMDB, which the others are compared with, takes at most %d"
                    .formatted(file, line.length, MOST_BYTES));
          }
          if (line.length > 0 && seen.add(line)) {
            keys.add(line);
          }
        }
      }
      return keys;
    }

    /** The last of them: other keys than the measured ones, if the file has that many. */
    @Override
    public List<byte[]> others(int most, List<byte[]> shuffled) {
      return shuffled.subList(Math.max(0, shuffled.size() - most), shuffled.size());
    }

    @Override
    public String saysOthers() {
      return "the last of the shuffled file; a load of the whole file measures them too";
    }

    private InputStream open() throws IOException {
      String end = file.toString();
      if (end.endsWith(".xz")) {
        return new ProcessBuilder("xz", "-dc", end)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()
            .getInputStream();
      }
      InputStream in = Files.newInputStream(file);
      return end.endsWith(".gz") ? new GZIPInputStream(in) : in;
    }

    private static byte @Nullable [] line(InputStream in) throws IOException {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (; next >= 0 && next != '\n'; next = in.read()) {
        line.write(next);
      }
      return line.toByteArray();
    }
  }
}
