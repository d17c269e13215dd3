package io.github.coppicedb.bench.keys;

/** An endless sequence of keys, the same for the same seed; keys may come twice. One thread. */
@FunctionalInterface
public interface KeyGenerator {
  /** Returns the next key, in UTF-8, at most 511 bytes long. */
  byte[] next();
}
