package io.github.coppicedb.log;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.Checksum;
import io.github.coppicedb.format.FileHead;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.format.HeadCheck;
import io.github.coppicedb.format.ManifestFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Turns a {@link ManifestState} into the bytes of a manifest and back. Stateless. */
final class ManifestCodec {
  private ManifestCodec() {}

  /** Returns the bytes of a manifest. */
  static byte[] encode(ManifestState state) {
    int length = levelsLength(state);
    byte[] bytes = new byte[ManifestFormat.LEVELS + length + ManifestFormat.LEVELS_CRC_BYTES];
    MemorySegment file = MemorySegment.ofArray(bytes);
    FileHead.init(file, ManifestFormat.MAGIC, ManifestFormat.VERSION, state.databaseId());
    Bytes.put64(file, ManifestFormat.NEXT_FILE_ID, state.nextFileId());
    Bytes.put64(file, ManifestFormat.REPLAY_LOG, state.replayLog());
    Bytes.put64(file, ManifestFormat.REPLAY_OFFSET, state.replayOffset());
    Bytes.put64(file, ManifestFormat.REPLAY_SEQUENCE, state.replaySequence());
    Bytes.put32(file, ManifestFormat.LEVELS_LENGTH, length);
    FileHead.seal(file);
    long end = putLevels(file, state.levels());
    Bytes.put32(file, end, Checksum.crc32c(file, ManifestFormat.LEVELS, length));
    return bytes;
  }

  private static int levelsLength(ManifestState state) {
    long length = ManifestFormat.COUNT_BYTES;
    for (List<List<Long>> runs : state.levels()) {
      length += ManifestFormat.COUNT_BYTES;
      for (List<Long> trees : runs) {
        length += ManifestFormat.COUNT_BYTES + (long) trees.size() * ManifestFormat.TREE_ID_BYTES;
      }
    }
    return Math.toIntExact(length);
  }

  private static long putLevels(MemorySegment file, List<List<List<Long>>> levels) {
    long at = putCount(file, ManifestFormat.LEVELS, levels.size());
    for (List<List<Long>> runs : levels) {
      at = putCount(file, at, runs.size());
      for (List<Long> trees : runs) {
        at = putCount(file, at, trees.size());
        for (long tree : trees) {
          Bytes.put64(file, at, tree);
          at += ManifestFormat.TREE_ID_BYTES;
        }
      }
    }
    return at;
  }

  private static long putCount(MemorySegment file, long at, int count) {
    Bytes.put32(file, at, count);
    return at + ManifestFormat.COUNT_BYTES;
  }

  /** Reads a manifest; everything in it is checked. */
  static ManifestState decode(MemorySegment file) {
    HeadCheck.check(FileNames.MANIFEST, file, ManifestFormat.MAGIC, ManifestFormat.VERSION);
    long length = Bytes.u32(file, ManifestFormat.LEVELS_LENGTH);
    long expected = ManifestFormat.LEVELS + length + ManifestFormat.LEVELS_CRC_BYTES;
    if (file.byteSize() != expected) {
      throw damage(
          Math.min(expected, file.byteSize()), expected + " bytes", file.byteSize() + " bytes");
    }
    int computed = Checksum.crc32c(file, ManifestFormat.LEVELS, length);
    int stored = Bytes.i32(file, ManifestFormat.LEVELS + length);
    if (computed != stored) {
      throw damage(
          ManifestFormat.LEVELS,
          "checksum of the levels %08x".formatted(computed),
          "%08x".formatted(stored));
    }
    try {
      return state(file, new Levels(file, ManifestFormat.LEVELS + length).read());
    } catch (IllegalArgumentException e) {
      CorruptionException damage =
          damage(ManifestFormat.LEVELS, "possible numbers", String.valueOf(e.getMessage()));
      damage.initCause(e);
      throw damage;
    }
  }

  private static ManifestState state(MemorySegment file, List<List<List<Long>>> levels) {
    return new ManifestState(
        FileHead.databaseId(file),
        Bytes.i64(file, ManifestFormat.NEXT_FILE_ID),
        Bytes.i64(file, ManifestFormat.REPLAY_LOG),
        Bytes.i64(file, ManifestFormat.REPLAY_OFFSET),
        Bytes.i64(file, ManifestFormat.REPLAY_SEQUENCE),
        levels);
  }

  private static CorruptionException damage(long offset, String expected, String found) {
    return new CorruptionException(FileNames.MANIFEST, offset, expected, found);
  }

  /** A walk over the levels; counts are held against the bytes that are left. */
  private static final class Levels {
    private final MemorySegment file;
    private final long end;
    private long at = ManifestFormat.LEVELS;

    Levels(MemorySegment file, long end) {
      this.file = file;
      this.end = end;
    }

    List<List<List<Long>>> read() {
      int count = count(ManifestFormat.COUNT_BYTES);
      List<List<List<Long>>> levels = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        levels.add(runs());
      }
      if (at != end) {
        throw damage(at, "the end of the levels", (end - at) + " more bytes");
      }
      return levels;
    }

    private List<List<Long>> runs() {
      int count = count(ManifestFormat.COUNT_BYTES);
      List<List<Long>> runs = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        runs.add(trees());
      }
      return runs;
    }

    private List<Long> trees() {
      int count = count(ManifestFormat.TREE_ID_BYTES);
      List<Long> trees = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        trees.add(Bytes.i64(file, at));
        at += ManifestFormat.TREE_ID_BYTES;
      }
      return trees;
    }

    private int count(int bytesEach) {
      long left = end - at - ManifestFormat.COUNT_BYTES;
      long count = left < 0 ? 0 : Bytes.u32(file, at);
      if (left < 0 || count * bytesEach > left) {
        throw damage(at, "a count that fits in %d bytes".formatted(end - at), "" + count);
      }
      at += ManifestFormat.COUNT_BYTES;
      return (int) count;
    }
  }
}
