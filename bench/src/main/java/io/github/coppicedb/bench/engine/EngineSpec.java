package io.github.coppicedb.bench.engine;

import java.util.List;
import java.util.function.Supplier;

/** An engine that can be asked for. */
public sealed interface EngineSpec {
  /** Returns the name that options and reports use. */
  String name();

  /** Returns how it is run, in a sentence for the report. */
  String how();

  /**
   * An engine in a JVM.
   *
   * @param artifact the jar whose version is told, as part of its file name; empty for none
   * @param options what its JVM needs beside the defaults
   */
  record InJava(
      String name, String how, Supplier<Engine> maker, String artifact, List<String> options)
      implements EngineSpec {}

  /**
   * LMDB in C.
   *
   * @param unsynced whether with MDB_NOSYNC and MDB_WRITEMAP
   * @param run keys are sorted in runs of so many before they are put; 0 = not
   * @param inPieces whether it commits before it would spill
   */
  record InC(String name, String how, boolean unsynced, int run, boolean inPieces)
      implements EngineSpec {}
}
