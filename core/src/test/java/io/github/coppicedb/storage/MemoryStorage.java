package io.github.coppicedb.storage;

import io.github.coppicedb.StorageFailureException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** Files in heap memory, for tests of the classes that read and write them. One thread. */
public final class MemoryStorage implements Storage {
  private final TreeMap<String, byte[]> files = new TreeMap<>();

  /** Returns a file's bytes. */
  public byte[] bytes(String name) {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw missing(name);
    }
    return bytes.clone();
  }

  /** Makes or replaces a file. */
  public void put(String name, byte[] bytes) {
    files.put(name, bytes.clone());
  }

  private static StorageFailureException missing(String name) {
    return new StorageFailureException("no file " + name, new IOException(name));
  }

  @Override
  public String location() {
    return "memory";
  }

  @Override
  public List<String> list() {
    return List.copyOf(files.keySet());
  }

  @Override
  public OutputFile create(String name) {
    if (files.putIfAbsent(name, new byte[0]) != null) {
      throw new StorageFailureException("file exists: " + name, new IOException(name));
    }
    return new Output(name);
  }

  @Override
  public MappedFile map(String name) {
    MemorySegment segment = MemorySegment.ofArray(bytes(name)).asReadOnly();
    return new Mapped(name, segment);
  }

  @Override
  public long size(String name) {
    return bytes(name).length;
  }

  @Override
  public void truncate(String name, long length) {
    files.put(name, Arrays.copyOf(bytes(name), (int) length));
  }

  @Override
  public void rename(String from, String to) {
    files.put(to, bytes(from));
    files.remove(from);
  }

  @Override
  public void delete(String name) {
    files.remove(name);
  }

  @Override
  public void forceDirectory() {}

  @Override
  public void close() {}

  private record Mapped(String name, MemorySegment segment) implements MappedFile {
    @Override
    public void close() {}
  }

  private final class Output implements OutputFile {
    private final String name;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Output(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long position() {
      return bytes.size();
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      bytes.write(source, offset, length);
      files.put(name, bytes.toByteArray());
    }

    @Override
    public void write(MemorySegment source) {
      byte[] copy = source.toArray(ValueLayout.JAVA_BYTE);
      write(copy, 0, copy.length);
    }

    @Override
    public void force() {}

    @Override
    public void close() {}
  }
}
