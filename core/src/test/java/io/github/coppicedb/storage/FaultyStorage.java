package io.github.coppicedb.storage;

import io.github.coppicedb.StorageFailureException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * A storage whose calls fail when a test says so. Forces cost nothing: what is written stays. Safe
 * for threads as the storage behind it is.
 */
public final class FaultyStorage implements Storage {
  /** What is called. */
  public enum Call {
    CREATE,
    WRITE,
    FORCE,
    MAP,
    TRUNCATE,
    RENAME,
    DELETE,
    FORCE_DIRECTORY
  }

  private final Storage inner;
  private volatile BiPredicate<Call, String> fault = (call, name) -> false;
  private volatile boolean late;

  /** Makes a storage that does what another does. */
  public FaultyStorage(Storage inner) {
    this.inner = inner;
  }

  /** Lets calls fail from now on, before they have done anything. */
  public void failWhen(BiPredicate<Call, String> condition) {
    late = false;
    fault = condition;
  }

  /** Lets calls fail from now on, after they have done their work. */
  public void failLateWhen(BiPredicate<Call, String> condition) {
    late = true;
    fault = condition;
  }

  /** Lets nothing fail any more. */
  public void heal() {
    fault = (call, name) -> false;
  }

  private void run(Call call, String name, Runnable work) {
    boolean fails = fault.test(call, name);
    if (!fails || late) {
      work.run();
    }
    if (fails) {
      throw new StorageFailureException(call + " of " + name + " fails", new IOException("test"));
    }
  }

  @Override
  public String location() {
    return inner.location();
  }

  @Override
  public List<String> list() {
    return inner.list();
  }

  @Override
  public OutputFile create(String name) {
    run(Call.CREATE, name, () -> {});
    return new Output(inner.create(name));
  }

  @Override
  public MappedFile map(String name) {
    run(Call.MAP, name, () -> {});
    return inner.map(name);
  }

  @Override
  public long size(String name) {
    return inner.size(name);
  }

  @Override
  public void truncate(String name, long length) {
    run(Call.TRUNCATE, name, () -> inner.truncate(name, length));
  }

  @Override
  public void rename(String from, String to) {
    run(Call.RENAME, from, () -> inner.rename(from, to));
  }

  @Override
  public void delete(String name) {
    run(Call.DELETE, name, () -> inner.delete(name));
  }

  @Override
  public void forceDirectory() {
    run(Call.FORCE_DIRECTORY, "", () -> {});
  }

  @Override
  public void close() {
    inner.close();
  }

  private final class Output implements OutputFile {
    private final OutputFile file;

    Output(OutputFile file) {
      this.file = file;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public long position() {
      return file.position();
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      run(Call.WRITE, name(), () -> file.write(source, offset, length));
    }

    @Override
    public void write(MemorySegment source) {
      run(Call.WRITE, name(), () -> file.write(source));
    }

    @Override
    public void force() {
      run(Call.FORCE, name(), () -> {});
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
