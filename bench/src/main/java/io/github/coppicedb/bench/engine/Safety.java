package io.github.coppicedb.bench.engine;

/** What a commit waits for. */
public enum Safety {
  /** For the device. */
  FORCED,
  /** For nothing: a crash can take the last commits back. */
  RELAXED
}
