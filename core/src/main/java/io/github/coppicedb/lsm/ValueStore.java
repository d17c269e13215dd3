package io.github.coppicedb.lsm;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.Checksum;
import io.github.coppicedb.format.FileNames;
import io.github.coppicedb.format.ValueReference;
import io.github.coppicedb.storage.MappedFile;
import io.github.coppicedb.storage.OutputFile;
import io.github.coppicedb.storage.Storage;
import io.github.coppicedb.tree.EntryValue;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Values too long for a page: each in a file of its own, written once, never copied by a merge,
 * mapped when it is first read and checked then. An entry holds the file's number, the value's
 * length and its checksum. Thread-safe.
 */
public final class ValueStore implements AutoCloseable {
  private final Storage storage;
  private final FileNumbers numbers;
  private final ConcurrentHashMap<Long, MappedFile> mapped = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** Makes the value files of a directory. */
  public ValueStore(Storage storage, FileNumbers numbers) {
    this.storage = storage;
    this.numbers = numbers;
  }

  /**
   * Writes and forces a value; its name becomes durable with the next force of the directory.
   *
   * @return the reference that goes into the entry
   */
  public byte[] write(MemorySegment value) {
    long number = numbers.next();
    String name = FileNames.value(number);
    try (OutputFile file = storage.create(name)) {
      file.write(value);
      file.force();
    } catch (RuntimeException e) {
      Leftovers.remove(storage, name);
      throw e;
    }
    byte[] reference = new byte[ValueReference.BYTES];
    MemorySegment target = MemorySegment.ofArray(reference);
    int crc = Checksum.crc32c(value, 0, value.byteSize());
    ValueReference.write(target, 0, number, value.byteSize(), crc);
    return reference;
  }

  /** Returns the number of the file that a reference names. */
  public static long fileOf(byte[] reference) {
    return ValueReference.fileId(MemorySegment.ofArray(reference), 0);
  }

  /**
   * Returns the value that an entry refers to, read-only.
   *
   * @throws CorruptionException when the file is damaged or cut
   */
  public MemorySegment read(EntryValue entry) {
    MemorySegment reference = entry.segment();
    long number = ValueReference.fileId(reference, entry.offset());
    long length = ValueReference.length(reference, entry.offset());
    int crc = ValueReference.crc(reference, entry.offset());
    MappedFile file = mapped.computeIfAbsent(number, id -> map(id, length, crc));
    if (closed) {
      // Mapped perhaps after the close had looked through the mapped ones.
      close();
      throw new ClosedException("the database in %s was closed".formatted(storage.location()));
    }
    return file.segment();
  }

  /** Unmaps and removes a file. */
  public void dispose(long number) {
    MappedFile file = mapped.remove(number);
    if (file != null) {
      file.close();
    }
    Leftovers.remove(storage, FileNames.value(number));
  }

  /** Returns a file as something to be removed when no version refers to it. */
  Retired retired(long number) {
    return new Retired() {
      @Override
      public boolean neededBy(Version version) {
        return version.refersTo(number);
      }

      @Override
      public void dispose() {
        ValueStore.this.dispose(number);
      }
    };
  }

  @Override
  public void close() {
    closed = true;
    for (Long number : mapped.keySet()) {
      MappedFile file = mapped.remove(number);
      if (file != null) {
        file.close();
      }
    }
  }

  private MappedFile map(long number, long length, int crc) {
    MappedFile file = storage.map(FileNames.value(number));
    try {
      check(file, length, crc);
      return file;
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static void check(MappedFile file, long length, int crc) {
    long size = file.segment().byteSize();
    if (size != length) {
      throw new CorruptionException(file.name(), 0, length + " bytes", size + " bytes");
    }
    int found = Checksum.crc32c(file.segment(), 0, length);
    if (found != crc) {
      throw new CorruptionException(
          file.name(), 0, "checksum %08x".formatted(crc), "%08x".formatted(found));
    }
  }
}
