package io.github.coppicedb.format;

/**
 * The manifest: a {@linkplain FileHead head}, then the levels, then a checksum of the levels.
 *
 * <pre>
 * head   0  what all heads have: magic "COPP.MAN", version, database id
 *       24  u64  next file id: no file of the database has this id or a greater one
 *       32  u64  replay log: the log where replay begins
 *       40  u64  replay offset: the first frame of it that the trees below do not hold
 *       48  u64  replay sequence: the sequence of that frame
 *       56  u32  length of the levels in bytes
 *       60  u32  CRC32C of the head
 *       64  levels := u32 number of levels, from the newest, each u32 number of runs, from the
 *           newest, each u32 number of trees, in the order of their keys, each u64 file id
 *        …  u32  CRC32C of the levels; the file ends here
 * </pre>
 *
 * Stateless. Numbers are little-endian.
 */
public final class ManifestFormat {
  /** The magic of a manifest: {@code COPP.MAN}. */
  public static final long MAGIC = 0x4E414D2E50504F43L;

  /** The format that is written, and the newest that can be read. */
  public static final int VERSION = 1;

  /** Where the next file id stands. */
  public static final int NEXT_FILE_ID = FileHead.OWN_FIELDS;

  /** Where the id of the replay log stands. */
  public static final int REPLAY_LOG = NEXT_FILE_ID + Long.BYTES;

  /** Where the replay offset stands. */
  public static final int REPLAY_OFFSET = REPLAY_LOG + Long.BYTES;

  /** Where the replay sequence stands. */
  public static final int REPLAY_SEQUENCE = REPLAY_OFFSET + Long.BYTES;

  /** Where the length of the levels stands. */
  public static final int LEVELS_LENGTH = REPLAY_SEQUENCE + Long.BYTES;

  /** Where the levels begin. */
  public static final int LEVELS = FileHead.BYTES;

  /** Bytes of a number of levels, runs or trees. */
  public static final int COUNT_BYTES = Integer.BYTES;

  /** Bytes of the id of a tree file. */
  public static final int TREE_ID_BYTES = Long.BYTES;

  /** Bytes of the checksum behind the levels. */
  public static final int LEVELS_CRC_BYTES = Integer.BYTES;

  private ManifestFormat() {}
}
