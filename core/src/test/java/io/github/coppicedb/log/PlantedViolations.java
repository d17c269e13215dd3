package io.github.coppicedb.log;

import io.github.coppicedb.tree.EntryCursor;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Breaks every rule of the architecture test, so that the test can show that it would see it. */
public final class PlantedViolations {
  /** Static state that changes. */
  static int changes;

  /** A byte view outside the package of the formats. */
  static final VarHandle VIEW =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** A layout outside the package of the formats. */
  static final ValueLayout.OfInt LAYOUT = ValueLayout.JAVA_INT;

  /** Files and memory outside the storage, reflection, and a use of a higher floor. */
  record Fields(Arena arena, FileChannel channel, Method method, EntryCursor cursor) {}

  private PlantedViolations() {}

  static void print() {
    System.out.println("printed by a planted violation");
  }
}
