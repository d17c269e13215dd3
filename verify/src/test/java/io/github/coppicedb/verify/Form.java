package io.github.coppicedb.verify;

/** The two forms in which keys and values are handed over. */
enum Form {
  /** Arrays of bytes. */
  ARRAYS,
  /** Memory segments: slices of arrays, and memory outside the heap. */
  SEGMENTS
}
