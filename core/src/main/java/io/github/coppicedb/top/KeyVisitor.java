package io.github.coppicedb.top;

/** Is told keys, one after the other. */
@FunctionalInterface
public interface KeyVisitor {
  /**
   * Takes a key.
   *
   * @param key a buffer that begins with the key, valid during the call
   * @param keyLength the key's length
   * @param hash the key's {@link io.github.coppicedb.format.KeyHash}
   * @return whether to go on
   */
  boolean visit(byte[] key, int keyLength, long hash);
}
