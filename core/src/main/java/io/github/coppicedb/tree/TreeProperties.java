package io.github.coppicedb.tree;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.FilterFormat;
import io.github.coppicedb.format.TreeFileFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The properties of a tree file: its summary, and where pages and filter lie.
 *
 * @param pagesEnd where the pages end in the file
 * @param filterAt where the filter lies in the file; 0 = no filter
 * @param filterBlocks number of its blocks
 * @param filterProbes bits that a key has in its block
 * @param filterCrc checksum of the filter's checksums
 */
record TreeProperties(
    TreeSummary summary,
    long pagesEnd,
    long filterAt,
    long filterBlocks,
    int filterProbes,
    int filterCrc) {

  /** Returns the properties as they stand in a file. */
  MemorySegment encode() {
    List<MaskedRanges.Range> masks = summary.masks().list();
    long[] files = summary.largeFiles();
    MemorySegment s = MemorySegment.ofArray(new byte[Math.toIntExact(length())]);
    Bytes.put64(s, TreeFileFormat.ROOT, summary.root());
    Bytes.put64(s, TreeFileFormat.ENTRIES, summary.entries());
    Bytes.put64(s, TreeFileFormat.TOMBSTONES, summary.tombstones());
    Bytes.put64(s, TreeFileFormat.PAGES_END, pagesEnd);
    Bytes.put64(s, TreeFileFormat.FILTER, filterAt);
    Bytes.put64(s, TreeFileFormat.FILTER_BLOCKS, filterBlocks);
    Bytes.put32(s, TreeFileFormat.FILTER_PROBES, filterProbes);
    Bytes.put32(s, TreeFileFormat.FILTER_CRC, filterCrc);
    Bytes.put32(s, TreeFileFormat.HEIGHT, summary.height());
    Bytes.put32(s, TreeFileFormat.FIRST_KEY, summary.firstKey().length);
    Bytes.put32(s, TreeFileFormat.LAST_KEY, summary.lastKey().length);
    Bytes.put32(s, TreeFileFormat.MASKS, masks.size());
    Bytes.put32(s, TreeFileFormat.VALUE_FILES, files.length);
    long at = TreeFileFormat.FIXED_PROPERTIES;
    for (long file : files) {
      Bytes.put64(s, at, file);
      at += TreeFileFormat.VALUE_FILE_BYTES;
    }
    for (MaskedRanges.Range mask : masks) {
      byte[] high = mask.high();
      Bytes.put32(s, at, mask.low().length);
      Bytes.put32(s, at + Integer.BYTES, high == null ? TreeFileFormat.NO_END : high.length);
      at += TreeFileFormat.MASK_BYTES;
    }
    for (byte[] key : keys()) {
      Bytes.copy(key, 0, s, at, key.length);
      at += key.length;
    }
    return s;
  }

  private long length() {
    long length =
        TreeFileFormat.FIXED_PROPERTIES
            + (long) summary.largeFiles().length * TreeFileFormat.VALUE_FILE_BYTES
            + (long) summary.masks().list().size() * TreeFileFormat.MASK_BYTES;
    for (byte[] key : keys()) {
      length += key.length;
    }
    return length;
  }

  private List<byte[]> keys() {
    List<byte[]> keys = new ArrayList<>();
    keys.add(summary.firstKey());
    keys.add(summary.lastKey());
    for (MaskedRanges.Range mask : summary.masks().list()) {
      keys.add(mask.low());
      byte[] high = mask.high();
      if (high != null) {
        keys.add(high);
      }
    }
    return keys;
  }

  /**
   * Reads properties whose checksum was checked.
   *
   * @param s the properties
   * @param file the file's name, for messages
   * @param fileOffset where they stand in the file, which is also the end of what is before them
   */
  static TreeProperties decode(MemorySegment s, String file, long fileOffset) {
    return new Reader(s, file, fileOffset).read();
  }

  /** A walk over the properties; lengths are held against the bytes that are left. */
  private static final class Reader {
    private final MemorySegment s;
    private final String file;
    private final long fileOffset;
    private long keysAt;

    Reader(MemorySegment s, String file, long fileOffset) {
      this.s = s;
      this.file = file;
      this.fileOffset = fileOffset;
    }

    TreeProperties read() {
      require(s.byteSize() >= TreeFileFormat.FIXED_PROPERTIES, "properties", s.byteSize());
      long files = Bytes.u32(s, TreeFileFormat.VALUE_FILES);
      long masks = Bytes.u32(s, TreeFileFormat.MASKS);
      long masksAt = TreeFileFormat.FIXED_PROPERTIES + files * TreeFileFormat.VALUE_FILE_BYTES;
      keysAt = masksAt + masks * TreeFileFormat.MASK_BYTES;
      require(keysAt <= s.byteSize(), "lists inside the properties", keysAt);
      byte[] firstKey = bytes(Bytes.u32(s, TreeFileFormat.FIRST_KEY));
      byte[] lastKey = bytes(Bytes.u32(s, TreeFileFormat.LAST_KEY));
      TreeSummary summary =
          new TreeSummary(
              Bytes.i64(s, TreeFileFormat.ROOT),
              Bytes.i32(s, TreeFileFormat.HEIGHT),
              Bytes.i64(s, TreeFileFormat.ENTRIES),
              Bytes.i64(s, TreeFileFormat.TOMBSTONES),
              firstKey,
              lastKey,
              masks(masksAt, (int) masks),
              valueFiles((int) files));
      require(keysAt == s.byteSize(), "properties of this length", keysAt);
      TreeProperties properties =
          new TreeProperties(
              summary,
              Bytes.i64(s, TreeFileFormat.PAGES_END),
              Bytes.i64(s, TreeFileFormat.FILTER),
              Bytes.i64(s, TreeFileFormat.FILTER_BLOCKS),
              Bytes.i32(s, TreeFileFormat.FILTER_PROBES),
              Bytes.i32(s, TreeFileFormat.FILTER_CRC));
      checkNumbers(properties);
      return properties;
    }

    private long[] valueFiles(int count) {
      long[] files = new long[count];
      for (int i = 0; i < count; i++) {
        long at = TreeFileFormat.FIXED_PROPERTIES + (long) i * TreeFileFormat.VALUE_FILE_BYTES;
        files[i] = Bytes.i64(s, at);
      }
      return files;
    }

    private MaskedRanges masks(long masksAt, int count) {
      List<MaskedRanges.Range> ranges = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        long at = masksAt + (long) i * TreeFileFormat.MASK_BYTES;
        byte[] low = bytes(Bytes.u32(s, at));
        int highLength = Bytes.i32(s, at + Integer.BYTES);
        byte[] high = highLength == TreeFileFormat.NO_END ? null : bytes(highLength);
        ranges.add(new MaskedRanges.Range(low, high));
      }
      return MaskedRanges.of(ranges);
    }

    private byte[] bytes(long length) {
      require(length >= 0 && length <= s.byteSize() - keysAt, "keys inside", length);
      byte[] bytes = new byte[(int) length];
      Bytes.copy(s, keysAt, bytes, 0, bytes.length);
      keysAt += length;
      return bytes;
    }

    private void checkNumbers(TreeProperties p) {
      TreeSummary summary = p.summary;
      int height = summary.height();
      require(height >= 0 && height <= TreeFileFormat.MAX_HEIGHT, "a possible height", height);
      boolean some = height > 0;
      require(some == (summary.entries() > 0), "as many entries", summary.entries());
      require(some == (summary.root() != TreeFileFormat.NO_ROOT), "such a root", summary.root());
      long tombstones = summary.tombstones();
      require(tombstones >= 0 && tombstones <= summary.entries(), "as many tombstones", tombstones);
      long end = p.pagesEnd;
      require(end >= TreeFileFormat.PAGES && end <= fileOffset, "the pages in the file", end);
      if (p.filterAt != 0) {
        checkFilter(p);
      }
    }

    private void checkFilter(TreeProperties p) {
      long room = fileOffset - p.filterAt;
      require(p.filterAt >= p.pagesEnd && room >= 0, "a filter in the file", p.filterAt);
      long blocks = p.filterBlocks;
      require(blocks > 0 && blocks <= room / FilterFormat.BLOCK, "a filter of this size", blocks);
      long size = blocks * FilterFormat.BLOCK + FilterFormat.tableBytes(blocks);
      require(size <= room, "a filter of this length", size);
      int probes = p.filterProbes;
      require(probes > 0 && probes <= FilterFormat.MAX_PROBES, "a filter of its probes", probes);
    }

    private void require(boolean condition, String expected, long found) {
      if (!condition) {
        throw new CorruptionException(file, fileOffset, expected, "" + found);
      }
    }
  }
}
