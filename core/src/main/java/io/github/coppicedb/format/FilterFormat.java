package io.github.coppicedb.format;

/**
 * The filter of a tree: a blocked Bloom filter (Putze, Sanders and Singler, "Cache-, Hash- and
 * Space-Efficient Bloom Filters", WEA 2007). It says for sure that a key is absent, or that it may
 * be present, from one cache line.
 *
 * <pre>
 *   blocks of 64 bytes: eight little-endian u64, bit b of a block is bit b % 64 of word b / 64
 *   in a file: then u32 crc32c of each piece of 4096 bytes of the blocks, the last piece shorter
 * </pre>
 *
 * A key is known by the high 32 bits of its {@link KeyHash}: they select the block, and nine bits
 * at a time of their product with a constant select the bits in it. Stateless, for any thread.
 */
public final class FilterFormat {
  /** Size of a block in bytes. */
  public static final int BLOCK = 64;

  /** Number of bytes of blocks that have one checksum. */
  public static final int PIECE = 4096;

  /** Bytes of a checksum. */
  public static final int CRC_BYTES = 4;

  /** The most bits that a key has in its block. */
  public static final int MAX_PROBES = 7;

  private static final int BLOCK_BITS = 8 * BLOCK;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private FilterFormat() {}

  /** Returns the part of a key's hash that the filter knows. */
  public static int keep(long hash) {
    return (int) (hash >>> 32);
  }

  /** Returns the number of blocks for so many keys, at least 1. */
  public static long blocks(long keys, int bitsPerKey) {
    return Math.max(1, (keys * bitsPerKey + BLOCK_BITS - 1) / BLOCK_BITS);
  }

  /** Returns the number of bits that a key has in its block. */
  public static int probes(int bitsPerKey) {
    return Math.clamp(Math.round(0.6 * bitsPerKey), 1, MAX_PROBES);
  }

  /** Returns the block of a key. */
  public static long block(int kept, long blocks) {
    return ((kept & 0xFFFF_FFFFL) * blocks) >>> 32;
  }

  /** Returns the bits of a key: nine at a time from the high end are the places in the block. */
  public static long places(int kept) {
    return (kept | 1L << 32) * SPREAD;
  }

  /** Returns the first place of the given places, 0 to 511. */
  public static int firstPlace(long places) {
    return (int) (places >>> 55);
  }

  /** Returns the places without the first. */
  public static long otherPlaces(long places) {
    return places << 9;
  }

  /** Returns the bytes of the checksums of a filter of so many blocks. */
  public static long tableBytes(long blocks) {
    return (blocks * BLOCK + PIECE - 1) / PIECE * CRC_BYTES;
  }
}
