package io.github.coppicedb.tree;

import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.Checksum;
import io.github.coppicedb.format.FileHead;
import io.github.coppicedb.format.FilterFormat;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.format.TreeFileFormat;
import io.github.coppicedb.storage.OutputFile;
import io.github.coppicedb.storage.Storage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes a tree into a file as its pages come, and opens the file as a tree in the end. The file is
 * forced then; its name is durable when the caller forces the directory. Confined to one thread.
 *
 * <p>It writes in large pieces that begin at multiples of their size: a file system that knows
 * large folios (ext4 since Linux 6.16, XFS) then keeps each in one stretch of memory, which a
 * mapping shows by one fault and one entry of the page table, and not by 512 of each.
 */
final class TreeFileWriter implements TreeOutput {
  private static final int SMALL_BUFFER = 1 << 16;
  private static final int PIECE = 4 << 20;
  private static final int GROWTH = 8;

  private final Storage storage;
  private final String name;
  private final long databaseId;
  private final long fileId;
  private final OutputFile file;

  /** What was not written yet; grows up to a piece, so that a small file needs little. */
  private byte[] buffer = new byte[SMALL_BUFFER];

  private int buffered;

  /** Where the next byte comes to stand, those in the buffer told. */
  private long position;

  private @Nullable PackedTree tree;

  TreeFileWriter(Storage storage, String name, long databaseId, long fileId) {
    this.storage = storage;
    this.name = name;
    this.databaseId = databaseId;
    this.fileId = fileId;
    this.file = storage.create(name);
    writeHead();
  }

  private void writeHead() {
    MemorySegment head = MemorySegment.ofArray(new byte[TreeFileFormat.PAGES]);
    FileHead.init(head, TreeFileFormat.MAGIC, TreeFileFormat.VERSION, databaseId);
    Bytes.put64(head, TreeFileFormat.FILE_ID, fileId);
    FileHead.seal(head);
    write(head);
  }

  @Override
  public long append(MemorySegment page) {
    align();
    long address = position;
    write(page);
    return address;
  }

  private void align() {
    write(MemorySegment.ofArray(new byte[(int) (PackedPage.align(position) - position)]));
  }

  private void write(MemorySegment bytes) {
    long size = bytes.byteSize();
    for (long done = 0; done < size; ) {
      if (buffered == PIECE) {
        flush();
      }
      int part = (int) Math.min(size - done, PIECE - buffered);
      ensureRoom(part);
      MemorySegment.copy(bytes, done, MemorySegment.ofArray(buffer), buffered, part);
      buffered += part;
      done += part;
    }
    position += size;
  }

  private void ensureRoom(int bytes) {
    int needed = buffered + bytes;
    if (needed > buffer.length) {
      // In large steps: what is outgrown is garbage.
      buffer = Arrays.copyOf(buffer, (int) Math.min(PIECE, GROWTH * (long) needed));
    }
  }

  /** Writes what is buffered: a whole piece, or the file's end. */
  private void flush() {
    file.write(buffer, 0, buffered);
    buffered = 0;
  }

  @Override
  public PackedTree finish(TreeSummary summary, @Nullable BlockedBloomFilter filter) {
    long pagesEnd = position;
    align();
    long filterAt = position;
    int filterCrc = filter == null ? 0 : writeFilter(filter);
    long propertiesAt = position;
    TreeProperties properties =
        new TreeProperties(
            summary,
            pagesEnd,
            filter == null ? 0 : filterAt,
            filter == null ? 0 : filter.bytes() / FilterFormat.BLOCK,
            filter == null ? 0 : filter.probes(),
            filterCrc);
    MemorySegment bytes = properties.encode();
    write(bytes);
    writeFooter(propertiesAt, bytes);
    flush();
    file.force();
    file.close();
    PackedTree opened = TreeFile.open(storage, name, databaseId, fileId);
    tree = opened;
    return opened;
  }

  /** Writes the blocks and their checksums, and returns the checksum of those. */
  private int writeFilter(BlockedBloomFilter filter) {
    long blocks = filter.bytes() / FilterFormat.BLOCK;
    int tableBytes = Math.toIntExact(FilterFormat.tableBytes(blocks));
    MemorySegment table = MemorySegment.ofArray(new byte[tableBytes]);
    int piece = 0;
    for (MemorySegment part : filter.parts()) {
      for (long at = 0; at < part.byteSize(); at += FilterFormat.PIECE) {
        long size = Math.min(FilterFormat.PIECE, part.byteSize() - at);
        Bytes.put32(table, piece, Checksum.crc32c(part, at, size));
        piece += FilterFormat.CRC_BYTES;
      }
      write(part);
    }
    write(table);
    return Checksum.crc32c(table, 0, tableBytes);
  }

  private void writeFooter(long propertiesAt, MemorySegment properties) {
    MemorySegment footer = MemorySegment.ofArray(new byte[TreeFileFormat.FOOTER]);
    int length = (int) properties.byteSize();
    Bytes.put64(footer, TreeFileFormat.PROPERTIES, propertiesAt);
    Bytes.put32(footer, TreeFileFormat.PROPERTIES_LENGTH, length);
    Bytes.put32(footer, TreeFileFormat.PROPERTIES_CRC, Checksum.crc32c(properties, 0, length));
    Bytes.put64(footer, TreeFileFormat.END_MAGIC, TreeFileFormat.MAGIC);
    int crc = Checksum.crc32c(footer, 0, TreeFileFormat.FOOTER_CRC);
    Bytes.put32(footer, TreeFileFormat.FOOTER_CRC, crc);
    write(footer);
  }

  @Override
  public void abort() {
    file.close();
    if (tree != null) {
      tree.release();
    }
    try {
      storage.delete(name);
    } catch (StorageFailureException e) {
      // Nothing refers to the file: the next open of the database removes it.
      file.close();
    }
  }
}
