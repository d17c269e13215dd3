package io.github.coppicedb.tree;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.ByteArrays;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.Checksum;
import io.github.coppicedb.format.FilterFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a tree, in heap or in a file: tells of most absent keys that they are absent, and
 * never of a present one. Immutable, for any thread. In a file, a piece of 4 KiB is checked against
 * its checksum the first time that it is touched.
 */
public final class BlockedBloomFilter {
  /** Chunks in heap stay below the size that a collector treats as humongous. */
  private static final int HEAP_SHIFT = 18;

  private static final int FILE_SHIFT = 62;

  private final MemorySegment[] chunks;

  /** The arrays of the chunks in heap; none for a file. */
  private final byte[][] arrays;

  private final int shift;
  private final long blocks;
  private final int probes;
  private final @Nullable Checksums checksums;

  /** The checksums of the pieces of a filter in a file, and which pieces were checked. */
  private record Checksums(String file, long address, MemorySegment table, TouchedPages touched) {}

  private BlockedBloomFilter(
      MemorySegment[] chunks,
      byte[][] arrays,
      int shift,
      long blocks,
      int probes,
      @Nullable Checksums checksums) {
    this.chunks = chunks;
    this.arrays = arrays;
    this.shift = shift;
    this.blocks = blocks;
    this.probes = probes;
    this.checksums = checksums;
  }

  /**
   * Makes a filter of bytes in a file.
   *
   * @param file the file's name, for messages
   * @param address where the blocks stand in the file
   * @param bits the blocks
   * @param table the checksums of the pieces
   */
  static BlockedBloomFilter inFile(
      String file, long address, MemorySegment bits, MemorySegment table, int probes) {
    Checksums checksums = new Checksums(file, address, table, new TouchedPages(bits.byteSize()));
    return new BlockedBloomFilter(
        new MemorySegment[] {bits},
        new byte[0][],
        FILE_SHIFT,
        bits.byteSize() / FilterFormat.BLOCK,
        probes,
        checksums);
  }

  /** Returns whether a key with this hash may be present; false is for sure. */
  public boolean mayContain(long hash) {
    int kept = FilterFormat.keep(hash);
    long at = FilterFormat.block(kept, blocks) * FilterFormat.BLOCK;
    if (checksums != null) {
      check(checksums, at);
    }
    int chunk = (int) (at >>> shift);
    long block = at & ((1L << shift) - 1);
    long places = FilterFormat.places(kept);
    if (checksums != null) {
      return has(chunks[chunk], block, places);
    }
    return has(arrays[chunk], (int) block, places);
  }

  // All bits are looked at, as when to stop would be guessed wrong, and they are in one line.

  private boolean has(MemorySegment chunk, long block, long places) {
    long rest = places;
    long bits = 1;
    for (int i = 0; i < probes; i++) {
      int place = FilterFormat.firstPlace(rest);
      bits &= Bytes.i64(chunk, block + (place >>> 6) * 8L) >>> place;
      rest = FilterFormat.otherPlaces(rest);
    }
    return bits != 0;
  }

  private boolean has(byte[] chunk, int block, long places) {
    long rest = places;
    long bits = 1;
    for (int i = 0; i < probes; i++) {
      int place = FilterFormat.firstPlace(rest);
      bits &= ByteArrays.i64(chunk, block + (place >>> 6) * 8) >>> place;
      rest = FilterFormat.otherPlaces(rest);
    }
    return bits != 0;
  }

  private void check(Checksums sums, long at) {
    long piece = at / FilterFormat.PIECE * FilterFormat.PIECE;
    if (sums.touched.contains(piece)) {
      return;
    }
    long size = Math.min(FilterFormat.PIECE, chunks[0].byteSize() - piece);
    int expected = Bytes.i32(sums.table, piece / FilterFormat.PIECE * FilterFormat.CRC_BYTES);
    int found = Checksum.crc32c(chunks[0], piece, size);
    if (expected != found) {
      throw new CorruptionException(
          sums.file,
          sums.address + piece,
          "filter checksum %08x".formatted(expected),
          "%08x".formatted(found));
    }
    sums.touched.add(piece);
  }

  /** Checks all pieces. */
  void checkAll() {
    if (checksums != null) {
      for (long at = 0; at < bytes(); at += FilterFormat.PIECE) {
        check(checksums, at);
      }
    }
  }

  /** Returns the size of the blocks in bytes. */
  long bytes() {
    return blocks * FilterFormat.BLOCK;
  }

  /** Returns the number of bits that a key has in its block. */
  int probes() {
    return probes;
  }

  /** Returns the blocks in order, cut at any block. */
  List<MemorySegment> parts() {
    return List.of(chunks);
  }

  /** Gathers keys for a filter. Confined to one thread. */
  static final class Builder {
    private static final int PART = 1 << 14;
    private static final int BLOCK_WORDS = FilterFormat.BLOCK / Long.BYTES;
    private static final int CHUNK_SHIFT = HEAP_SHIFT - 3;
    private static final int CHUNK_WORDS = 1 << CHUNK_SHIFT;

    private final List<int[]> full = new ArrayList<>();
    private int[] part = new int[64];
    private int used;

    /** Adds a key by its hash. */
    void add(long hash) {
      if (used == part.length) {
        grow();
      }
      part[used++] = FilterFormat.keep(hash);
    }

    private void grow() {
      if (part.length < PART) {
        part = Arrays.copyOf(part, 2 * part.length);
      } else {
        full.add(part);
        part = new int[PART];
        used = 0;
      }
    }

    /** Makes the filter in heap. */
    BlockedBloomFilter build(int bitsPerKey) {
      long keys = (long) full.size() * PART + used;
      long blocks = FilterFormat.blocks(keys, bitsPerKey);
      long[][] chunks = allocate(blocks * BLOCK_WORDS);
      int probes = FilterFormat.probes(bitsPerKey);
      for (int[] hashes : full) {
        set(chunks, blocks, probes, hashes, PART);
      }
      set(chunks, blocks, probes, part, used);
      byte[][] arrays = new byte[chunks.length][];
      for (int i = 0; i < chunks.length; i++) {
        arrays[i] = Bytes.of(chunks[i]);
      }
      MemorySegment[] segments =
          Arrays.stream(arrays).map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
      return new BlockedBloomFilter(segments, arrays, HEAP_SHIFT, blocks, probes, null);
    }

    private static long[][] allocate(long words) {
      int count = (int) ((words + CHUNK_WORDS - 1) / CHUNK_WORDS);
      long[][] chunks = new long[count][];
      for (int i = 0; i < count; i++) {
        chunks[i] = new long[(int) Math.min(CHUNK_WORDS, words - (long) i * CHUNK_WORDS)];
      }
      return chunks;
    }

    private static void set(long[][] chunks, long blocks, int probes, int[] hashes, int count) {
      for (int i = 0; i < count; i++) {
        int kept = hashes[i];
        long at = FilterFormat.block(kept, blocks) * BLOCK_WORDS;
        long[] chunk = chunks[(int) (at >>> CHUNK_SHIFT)];
        int block = (int) at & (CHUNK_WORDS - 1);
        long places = FilterFormat.places(kept);
        for (int probe = 0; probe < probes; probe++) {
          int place = FilterFormat.firstPlace(places);
          chunk[block + (place >>> 6)] |= 1L << place;
          places = FilterFormat.otherPlaces(places);
        }
      }
    }
  }
}
