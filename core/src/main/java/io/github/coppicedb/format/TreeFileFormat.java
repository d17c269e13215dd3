package io.github.coppicedb.format;

/**
 * A tree file: pages, filter and properties of one packed tree. Written once, never changed.
 *
 * <pre>
 *   head, 64 bytes      FileHead; at 24 u64 file id, then zeros
 *   pages               PackedPage each, from 64 on, at multiples of 64, filled up with zeros;
 *                       leaves in order, then inner pages level by level; addresses are places
 *                       in the file
 *   filter              FilterFormat, at a multiple of 64, if there is one
 *   properties          from where the footer says to the footer
 *     0  u64  address of the root page, -1 = no entries
 *     8  u64  number of entries, tombstones included
 *    16  u64  number of tombstones
 *    24  u64  end of the pages
 *    32  u64  address of the filter, 0 = no filter
 *    40  u64  number of the filter's blocks
 *    48  u32  bits that a key has in its block
 *    52  u32  crc32c of the filter's checksums
 *    56  u32  number of levels
 *    60  u32  length of the first key
 *    64  u32  length of the last key
 *    68  u32  number of masked ranges
 *    72  u32  number of value files
 *    76  u32  zero
 *    80  u64 id of each value file, in order
 *        {u32 length of low end, u32 length of high end, -1 = none} of each masked range
 *        first key, last key, low and high end of each masked range
 *   footer, 32 bytes    at the file's end
 *     0  u64  address of the properties
 *     8  u32  length of the properties
 *    12  u32  crc32c of the properties
 *    16  u64  magic
 *    24  u32  zero
 *    28  u32  crc32c of bytes 0 to 27
 * </pre>
 *
 * Constants only. Numbers are little-endian.
 */
public final class TreeFileFormat {
  /** First eight bytes of a tree file: "COPP.TRE". */
  public static final long MAGIC = 0x4552_542E_5050_4F43L;

  /** The newest version of the format, which is written. */
  public static final int VERSION = 1;

  /** Where the head holds the file's id. */
  public static final int FILE_ID = FileHead.OWN_FIELDS;

  /** Where the pages begin. */
  public static final int PAGES = FileHead.BYTES;

  /** The most levels of a tree: the level of a page is a byte. */
  public static final int MAX_HEIGHT = 255;

  /** Place in the properties: address of the root page. */
  public static final int ROOT = 0;

  /** Stands for the root of a tree without entries. */
  public static final long NO_ROOT = -1;

  /** Place in the properties: number of entries. */
  public static final int ENTRIES = ROOT + Long.BYTES;

  /** Place in the properties: number of tombstones. */
  public static final int TOMBSTONES = ENTRIES + Long.BYTES;

  /** Place in the properties: end of the pages. */
  public static final int PAGES_END = TOMBSTONES + Long.BYTES;

  /** Place in the properties: address of the filter. */
  public static final int FILTER = PAGES_END + Long.BYTES;

  /** Place in the properties: number of the filter's blocks. */
  public static final int FILTER_BLOCKS = FILTER + Long.BYTES;

  /** Place in the properties: bits that a key has in its block of the filter. */
  public static final int FILTER_PROBES = FILTER_BLOCKS + Long.BYTES;

  /** Place in the properties: checksum of the filter's checksums. */
  public static final int FILTER_CRC = FILTER_PROBES + Integer.BYTES;

  /** Place in the properties: number of levels. */
  public static final int HEIGHT = FILTER_CRC + Integer.BYTES;

  /** Place in the properties: length of the first key. */
  public static final int FIRST_KEY = HEIGHT + Integer.BYTES;

  /** Place in the properties: length of the last key. */
  public static final int LAST_KEY = FIRST_KEY + Integer.BYTES;

  /** Place in the properties: number of masked ranges. */
  public static final int MASKS = LAST_KEY + Integer.BYTES;

  /** Place in the properties: number of value files. */
  public static final int VALUE_FILES = MASKS + Integer.BYTES;

  /** Place in the properties: zero. */
  public static final int PROPERTIES_ZERO = VALUE_FILES + Integer.BYTES;

  /** Bytes of the properties that every file has. */
  public static final int FIXED_PROPERTIES = PROPERTIES_ZERO + Integer.BYTES;

  /** Bytes of an id of a value file. */
  public static final int VALUE_FILE_BYTES = Long.BYTES;

  /** Bytes of the lengths of a masked range. */
  public static final int MASK_BYTES = 2 * Integer.BYTES;

  /** Stands for the length of a high end that there is not. */
  public static final int NO_END = -1;

  /** Place in the footer: address of the properties. */
  public static final int PROPERTIES = 0;

  /** Place in the footer: length of the properties. */
  public static final int PROPERTIES_LENGTH = PROPERTIES + Long.BYTES;

  /** Place in the footer: checksum of the properties. */
  public static final int PROPERTIES_CRC = PROPERTIES_LENGTH + Integer.BYTES;

  /** Place in the footer: the magic again. */
  public static final int END_MAGIC = PROPERTIES_CRC + Integer.BYTES;

  /** Place in the footer: zero. */
  public static final int FOOTER_ZERO = END_MAGIC + Long.BYTES;

  /** Place in the footer: checksum of the footer before it. */
  public static final int FOOTER_CRC = FOOTER_ZERO + Integer.BYTES;

  /** Bytes of the footer. */
  public static final int FOOTER = FOOTER_CRC + Integer.BYTES;

  private TreeFileFormat() {}
}
