package io.github.coppicedb.testkit;

/**
 * What a step of a history does. In the arguments, {@code v} names a transaction or a snapshot,
 * {@code t} a table, {@code c} a cursor; {@code k}, {@code x} are blobs and {@code r} is a range. A
 * step that cannot be done in the state that the history is in, is left out: so any part of a
 * history is a history.
 */
public enum Verb {
  /** {@code t}: makes a table. */
  TABLE,
  /** {@code t}: drops a table. */
  DROP,
  /** {@code v}: begins a write transaction. */
  BEGIN,
  /** {@code v}: commits it; the model knows whether it conflicts. */
  COMMIT,
  /** {@code v}: rolls it back. */
  ROLLBACK,
  /** {@code v}: sets a savepoint. */
  SAVEPOINT,
  /** {@code v n}: rolls back to the n-th savepoint, which stays. */
  ROLLBACK_TO,
  /** {@code v}: takes a snapshot. */
  SNAPSHOT,
  /** {@code v}: closes it. */
  RELEASE,
  /** {@code v t k x}. */
  PUT,
  /** {@code v t k}. */
  DELETE,
  /** {@code v t k x}. */
  PUT_IF_ABSENT,
  /** {@code v t k x}. */
  REPLACE,
  /** {@code v t k x}: compareAndSet, with the value that the key has as the expected one. */
  SWAP,
  /** {@code v t k e x}: compareAndSet with an expected value that is given. */
  COMPARE_AND_SET,
  /** {@code v t r}. */
  DELETE_RANGE,
  /** {@code v t k n x}: puts n keys k + 4 bytes of a number. */
  FILL,
  /** {@code v t k}: get in all its forms and contains. */
  GET,
  /** {@code v t r}: walks over the range from its first key, and counts it. */
  SCAN,
  /** {@code v t r}: walks over the range from its last key. */
  SCAN_BACK,
  /** {@code c v t r}: opens a cursor. */
  CURSOR,
  /** {@code c}. */
  FIRST,
  /** {@code c}. */
  LAST,
  /** {@code c}. */
  NEXT,
  /** {@code c}. */
  PREVIOUS,
  /** {@code c k}. */
  SEEK,
  /** {@code c k}. */
  SEEK_FLOOR,
  /** {@code c}: deletes the key that the cursor is at. */
  DELETE_AT,
  /** {@code c}: closes a cursor. */
  CLOSE_CURSOR,
  /** All that was committed is on the device. */
  SYNC,
  /** Everything is stored in trees. */
  DRAIN,
  /** Everything is rewritten. */
  COMPACT,
  /** The full check of the database. */
  CHECK,
  /** Clean close and open; all content is compared. */
  REOPEN,
  /** {@code n}: the n-th storage call from here on fails and with it all later ones. */
  ARM,
  /** {@code seed n}: power cut, open; when n > 0, another one at the n-th call of the recovery. */
  CRASH,
  /** The process ends; open. */
  KILL
}
