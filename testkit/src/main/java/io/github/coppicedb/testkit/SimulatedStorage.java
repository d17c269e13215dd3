package io.github.coppicedb.testkit;

import io.github.coppicedb.ClosedException;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.storage.MappedFile;
import io.github.coppicedb.storage.OutputFile;
import io.github.coppicedb.storage.Storage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A storage in memory that knows what is durable. It can be copied as a power cut or a killed
 * process would leave it, at any moment and as often as wanted, while it stays as it is itself;
 * calls can be made to fail; space can run out; wrong use is noted.
 *
 * <p>What is simulated:
 *
 * <ul>
 *   <li>Bytes that were not forced are kept, lost or torn at a power cut, each sector of 512 bytes
 *       on its own; the file's length is that of the last force, the one written, or between. What
 *       was never written in between reads as zeros or as old bytes of another file.
 *   <li>Names that were made, changed or removed since the directory was forced are there or not,
 *       in any subset that can have happened in order. Forcing a file does not force its name.
 *   <li>A failed force loses what it should have forced, and a later force does not bring it back.
 * </ul>
 *
 * <p>Thread-safe; one lock. Of no use for measuring time.
 */
public final class SimulatedStorage implements Storage {
  private final SimulatedNames names;
  private final FaultPlan faults = new FaultPlan();
  private final List<Handle> handles = new ArrayList<>();
  private final List<String> misuse = new ArrayList<>();
  private long quota = Long.MAX_VALUE;
  private long writtenBytes;
  private long forcedBytes;
  private boolean closed;

  /** An open file or mapping. */
  private sealed interface Handle {
    SimulatedContent content();

    String describe();
  }

  /** Makes an empty storage. */
  public SimulatedStorage() {
    this(new SimulatedNames());
  }

  private SimulatedStorage(SimulatedNames names) {
    this.names = names;
  }

  /** Returns what a power cut at this moment could leave; another random number, another rest. */
  public synchronized SimulatedStorage crash(Random random) {
    return new SimulatedStorage(names.afterPowerCut(random));
  }

  /**
   * Returns what the next process finds if this one is killed, or closes, at this moment: all that
   * was written, which still is no more durable than it was.
   */
  public synchronized SimulatedStorage processKill() {
    return new SimulatedStorage(names.copy());
  }

  /** Returns the plan of failures, which also counts the calls. */
  public FaultPlan faults() {
    return faults;
  }

  /** Sets how many bytes all files together may have; a write beyond it fails as "disk full". */
  public synchronized void setQuota(long bytes) {
    quota = bytes;
  }

  /** Returns the bytes that all files have together. */
  public synchronized long usedBytes() {
    long used = 0;
    for (SimulatedContent content : names.contents()) {
      used += content.length();
    }
    return used;
  }

  /** Returns how many bytes were handed over by writes. */
  public synchronized long writtenBytes() {
    return writtenBytes;
  }

  /** Returns how many bytes were brought to the device by forces, in whole sectors. */
  public synchronized long forcedBytes() {
    return forcedBytes;
  }

  /** Changes one bit of a file at rest. Mappings that are open do not show it. */
  public synchronized void flipBit(String name, long bit) {
    existing(StorageCall.WRITE, name).flipBit(bit);
  }

  /** Returns a copy of a file's bytes. */
  public synchronized byte[] bytes(String name) {
    return existing(StorageCall.MAP, name).bytes();
  }

  /** Puts a file in place, durably, replacing one of that name. */
  public synchronized void put(String name, byte[] bytes) {
    SimulatedContent old = names.get(name);
    if (old != null) {
      names.delete(name, old);
    }
    names.create(name, SimulatedContent.durable(bytes));
    names.force();
  }

  /** Returns what files and mappings are open. */
  public synchronized List<String> openHandles() {
    return handles.stream().map(Handle::describe).toList();
  }

  /** Returns what was done that a storage forbids, or that some operating system refuses. */
  public synchronized List<String> misuse() {
    return List.copyOf(misuse);
  }

  @Override
  public String location() {
    return "simulated storage";
  }

  @Override
  public synchronized List<String> list() {
    start(StorageCall.LIST, "the directory");
    return names.list();
  }

  @Override
  public synchronized OutputFile create(String name) {
    start(StorageCall.CREATE, checked(name));
    if (names.get(name) != null) {
      throw refusal(StorageCall.CREATE, name, "it exists already");
    }
    SimulatedContent content = new SimulatedContent();
    names.create(name, content);
    Output file = new Output(name, content);
    handles.add(file);
    return file;
  }

  @Override
  public synchronized MappedFile map(String name) {
    start(StorageCall.MAP, checked(name));
    SimulatedContent content = existing(StorageCall.MAP, name);
    Mapped mapped = new Mapped(name, content);
    handles.add(mapped);
    return mapped;
  }

  @Override
  public synchronized long size(String name) {
    start(StorageCall.SIZE, checked(name));
    return existing(StorageCall.SIZE, name).length();
  }

  @Override
  public synchronized void truncate(String name, long length) {
    start(StorageCall.TRUNCATE, checked(name));
    SimulatedContent content = existing(StorageCall.TRUNCATE, name);
    noteIfOpen("truncate", name, content);
    if (length < 0 || length > content.length()) {
      throw new IllegalArgumentException("cannot cut %s to %d bytes".formatted(name, length));
    }
    content.truncate((int) length);
  }

  @Override
  public synchronized void rename(String from, String to) {
    start(StorageCall.RENAME, checked(from));
    SimulatedContent content = existing(StorageCall.RENAME, from);
    SimulatedContent replaced = names.get(checked(to));
    noteIfOpen("rename", from, content);
    if (replaced != null) {
      noteIfOpen("replace", to, replaced);
    }
    names.rename(from, to, content);
  }

  @Override
  public synchronized void delete(String name) {
    start(StorageCall.DELETE, checked(name));
    SimulatedContent content = names.get(name);
    if (content != null) {
      noteIfOpen("delete", name, content);
      names.delete(name, content);
    }
  }

  @Override
  public synchronized void forceDirectory() {
    start(StorageCall.FORCE_DIRECTORY, "the directory");
    names.force();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      handles.forEach(handle -> misuse.add("open at close: " + handle.describe()));
    }
    closed = true;
  }

  private void start(StorageCall kind, String name) {
    if (closed) {
      throw new ClosedException("the simulated storage is closed");
    }
    faults.call(kind, name);
  }

  private static String checked(String name) {
    boolean plain = !name.isEmpty() && !name.startsWith(".") && !name.equals("LOCK");
    for (int i = 0; i < name.length(); i++) {
      plain &= "/\\:\0".indexOf(name.charAt(i)) < 0;
    }
    if (!plain) {
      throw new IllegalArgumentException("not the name of a file of a database: " + name);
    }
    return name;
  }

  private SimulatedContent existing(StorageCall kind, String name) {
    @Nullable SimulatedContent content = names.get(name);
    if (content == null) {
      throw refusal(kind, name, "it does not exist");
    }
    return content;
  }

  private static StorageFailureException refusal(StorageCall kind, String name, String reason) {
    String message = "cannot %s %s: %s".formatted(kind, name, reason);
    return new StorageFailureException(message, new IOException(reason));
  }

  private void noteIfOpen(String action, String name, SimulatedContent content) {
    for (Handle handle : handles) {
      if (handle.content() == content) {
        misuse.add("%s of %s while there is %s".formatted(action, name, handle.describe()));
      }
    }
  }

  /** A file that is being written. Guarded by the storage. */
  private final class Output implements OutputFile, Handle {
    private final String name;
    private final SimulatedContent content;
    private int position;
    private boolean failed;
    private boolean shut;

    Output(String name, SimulatedContent content) {
      this.name = name;
      this.content = content;
    }

    @Override
    public SimulatedContent content() {
      return content;
    }

    @Override
    public String describe() {
      return "an open file " + name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long position() {
      synchronized (SimulatedStorage.this) {
        return position;
      }
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      Objects.checkFromIndexSize(offset, length, source.length);
      synchronized (SimulatedStorage.this) {
        check(StorageCall.WRITE);
        boolean strikes = faults.strikes(StorageCall.WRITE);
        int room = Math.clamp(roomFor(length), 0, length);
        int kept = strikes ? Math.min(length / 2, room) : room;
        content.write(position, source, offset, kept);
        writtenBytes += kept;
        if (strikes) {
          failed = true;
          throw FaultPlan.failure(StorageCall.WRITE, name);
        }
        if (kept < length) {
          failed = true;
          String message = "cannot write %s: no space is left on the device".formatted(name);
          throw new StorageFailureException(message, new IOException("quota"), true);
        }
        position += length;
      }
    }

    private long roomFor(int length) {
      long inside = Math.max(0, content.length() - position);
      return length <= inside ? length : inside + Math.max(0, quota - usedBytes());
    }

    @Override
    public void write(MemorySegment source) {
      byte[] bytes = source.toArray(ValueLayout.JAVA_BYTE);
      write(bytes, 0, bytes.length);
    }

    @Override
    public void reserve(long bytes) {
      synchronized (SimulatedStorage.this) {
        int from = content.length();
        long more = position + bytes - from;
        if (!failed && !shut && more > 0 && more <= quota - usedBytes()) {
          content.write(from, new byte[(int) more], 0, (int) more);
        }
      }
    }

    @Override
    public void force() {
      synchronized (SimulatedStorage.this) {
        check(StorageCall.FORCE);
        if (faults.strikes(StorageCall.FORCE)) {
          failed = true;
          content.loseDirty();
          throw FaultPlan.failure(StorageCall.FORCE, name);
        }
        forcedBytes += content.dirtyBytes();
        content.force();
      }
    }

    private void check(StorageCall kind) {
      if (shut) {
        misuse.add("%s of %s after its close".formatted(kind, name));
      }
      if (shut || failed) {
        throw refusal(kind, name, shut ? "it is closed" : "an earlier write or force failed");
      }
    }

    @Override
    public void close() {
      synchronized (SimulatedStorage.this) {
        if (!shut && !failed && position < content.length()) {
          content.cut(position);
        }
        shut = true;
        handles.remove(this);
      }
    }
  }

  /** A copy of a file in native memory, so that use after close fails as with a real mapping. */
  private final class Mapped implements MappedFile, Handle {
    private final String name;
    private final SimulatedContent content;
    private final Arena arena;
    private final MemorySegment segment;

    @SuppressWarnings("MustBeClosedChecker") // The arena lives as long as the mapping it is for.
    Mapped(String name, SimulatedContent content) {
      this.name = name;
      this.content = content;
      this.arena = Arena.ofShared();
      this.segment = arena.allocateFrom(ValueLayout.JAVA_BYTE, content.bytes()).asReadOnly();
    }

    @Override
    public SimulatedContent content() {
      return content;
    }

    @Override
    public String describe() {
      return "a mapping of " + name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public MemorySegment segment() {
      return segment;
    }

    @Override
    public void close() {
      synchronized (SimulatedStorage.this) {
        handles.remove(this);
      }
      while (arena.scope().isAlive()) {
        try {
          arena.close();
        } catch (IllegalStateException e) {
          // A checksum in another thread holds the memory for a moment.
          LockSupport.parkNanos(10_000);
        }
      }
    }
  }
}
