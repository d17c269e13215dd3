package io.github.coppicedb.tree;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.Checksum;
import io.github.coppicedb.format.FileHead;
import io.github.coppicedb.format.FilterFormat;
import io.github.coppicedb.format.HeadCheck;
import io.github.coppicedb.format.TreeFileFormat;
import io.github.coppicedb.storage.MappedFile;
import io.github.coppicedb.storage.Storage;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Trees in files: writes and opens them. When a file is opened, its head, footer and properties are
 * checked; pages and filter are checked when they are touched. Stateless.
 */
public final class TreeFile {
  private TreeFile() {}

  /**
   * Returns a place for a tree in a new file. The tree that it makes is open and its file forced;
   * for its name to be durable the caller forces the directory.
   */
  public static TreeOutput output(Storage storage, String name, long databaseId, long fileId) {
    return new TreeFileWriter(storage, name, databaseId, fileId);
  }

  /**
   * Opens the tree in a file. {@link PackedTree#release} unmaps it.
   *
   * @throws CorruptionException if the file is damaged, or is not the file of this id and database
   * @throws io.github.coppicedb.UnsupportedFormatException if it is no tree file, or a newer one
   */
  public static PackedTree open(Storage storage, String name, long databaseId, long fileId) {
    return open(storage.map(name), databaseId, fileId);
  }

  /**
   * Opens the tree in a mapped file, which belongs to the tree from then on: a failure closes it.
   *
   * @throws CorruptionException if the file is damaged, or is not the file of this id and database
   * @throws io.github.coppicedb.UnsupportedFormatException if it is no tree file, or a newer one
   */
  public static PackedTree open(MappedFile file, long databaseId, long fileId) {
    try {
      return read(file, databaseId, fileId);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static PackedTree read(MappedFile file, long databaseId, long fileId) {
    String name = file.name();
    MemorySegment s = file.segment();
    HeadCheck.check(name, s, TreeFileFormat.MAGIC, TreeFileFormat.VERSION);
    checkId(name, FileHead.DATABASE_ID, "database", databaseId, FileHead.databaseId(s));
    checkId(name, TreeFileFormat.FILE_ID, "file", fileId, Bytes.i64(s, TreeFileFormat.FILE_ID));
    TreeProperties properties = properties(name, s);
    PageSpace pages = PageSpace.inFile(name, s.asSlice(0, properties.pagesEnd()));
    BlockedBloomFilter filter = filter(name, s, properties);
    return new PackedTree(pages, properties.summary(), filter, s.byteSize(), fileId, file);
  }

  private static void checkId(String name, long offset, String what, long expected, long found) {
    if (expected != found) {
      throw new CorruptionException(
          name, offset, "%s id %016x".formatted(what, expected), "%016x".formatted(found));
    }
  }

  private static TreeProperties properties(String name, MemorySegment s) {
    long footer = s.byteSize() - TreeFileFormat.FOOTER;
    if (footer < TreeFileFormat.PAGES) {
      throw new CorruptionException(name, s.byteSize(), "a footer", "the file's end");
    }
    checkCrc(
        name,
        footer,
        "footer",
        Bytes.i32(s, footer + TreeFileFormat.FOOTER_CRC),
        Checksum.crc32c(s, footer, TreeFileFormat.FOOTER_CRC));
    long at = Bytes.i64(s, footer + TreeFileFormat.PROPERTIES);
    long length = Bytes.u32(s, footer + TreeFileFormat.PROPERTIES_LENGTH);
    if (at < TreeFileFormat.PAGES || at > footer || length != footer - at) {
      throw new CorruptionException(name, footer, "properties before the footer", "at " + at);
    }
    checkCrc(
        name,
        at,
        "properties",
        Bytes.i32(s, footer + TreeFileFormat.PROPERTIES_CRC),
        Checksum.crc32c(s, at, length));
    return TreeProperties.decode(s.asSlice(at, length), name, at);
  }

  private static @Nullable BlockedBloomFilter filter(
      String name, MemorySegment s, TreeProperties properties) {
    long at = properties.filterAt();
    if (at == 0) {
      return null;
    }
    long size = properties.filterBlocks() * FilterFormat.BLOCK;
    long tableBytes = FilterFormat.tableBytes(properties.filterBlocks());
    MemorySegment table = s.asSlice(at + size, tableBytes);
    checkCrc(
        name,
        at + size,
        "filter's table",
        properties.filterCrc(),
        Checksum.crc32c(table, 0, tableBytes));
    return BlockedBloomFilter.inFile(
        name, at, s.asSlice(at, size), table, properties.filterProbes());
  }

  private static void checkCrc(String name, long offset, String what, int stored, int computed) {
    if (stored != computed) {
      throw new CorruptionException(
          name,
          offset,
          "checksum of the %s %08x".formatted(what, stored),
          "%08x".formatted(computed));
    }
  }
}
