package io.github.coppicedb.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Bytes as segments of all sorts: a whole array, a part of one, memory outside the heap. */
public final class Segments {
  private static final int MARGIN = 3;

  private Segments() {}

  /** Returns a segment with the bytes; {@code form} chooses what sort. */
  public static MemorySegment of(byte[] bytes, int form) {
    return switch (Math.floorMod(form, 3)) {
      case 0 -> MemorySegment.ofArray(bytes.clone());
      case 1 -> part(bytes);
      default -> outside(bytes);
    };
  }

  /** Returns the bytes of a segment, or null for null. */
  public static byte @Nullable [] bytes(@Nullable MemorySegment segment) {
    return segment == null ? null : segment.toArray(ValueLayout.JAVA_BYTE);
  }

  private static MemorySegment part(byte[] bytes) {
    byte[] larger = new byte[bytes.length + 2 * MARGIN];
    System.arraycopy(bytes, 0, larger, MARGIN, bytes.length);
    return MemorySegment.ofArray(larger).asSlice(MARGIN, bytes.length);
  }

  private static MemorySegment outside(byte[] bytes) {
    MemorySegment segment = Arena.ofAuto().allocate(Math.max(1, bytes.length));
    return segment.asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
  }
}
