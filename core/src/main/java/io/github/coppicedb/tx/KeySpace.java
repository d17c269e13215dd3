package io.github.coppicedb.tx;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one table inside the shared trees: the table's number as four bytes, most significant
 * first, then the user's key. Since trees store what keys share only once, the prefix costs
 * nothing. Immutable.
 */
public final class KeySpace {
  /** Bytes of the prefix. */
  public static final int PREFIX_BYTES = 4;

  private final byte[] prefix;

  private KeySpace(byte[] prefix) {
    this.prefix = prefix;
  }

  /** Returns the keys of a table. */
  public static KeySpace of(int table) {
    return new KeySpace(
        new byte[] {
          (byte) (table >>> 24), (byte) (table >>> 16), (byte) (table >>> 8), (byte) table
        });
  }

  /** Returns the table's number that the first four bytes of a key say. */
  public static int tableOf(byte[] key) {
    return (key[0] & 0xFF) << 24 | (key[1] & 0xFF) << 16 | (key[2] & 0xFF) << 8 | (key[3] & 0xFF);
  }

  /** Returns the key that stands in the trees for a user's key. */
  public byte[] key(byte[] userKey) {
    byte[] key = new byte[PREFIX_BYTES + userKey.length];
    write(userKey, key);
    return key;
  }

  /** Writes the key that stands in the trees for a user's key to the begin of an array. */
  public void write(byte[] userKey, byte[] target) {
    System.arraycopy(prefix, 0, target, 0, PREFIX_BYTES);
    System.arraycopy(userKey, 0, target, PREFIX_BYTES, userKey.length);
  }

  /** Returns the least key of the table. */
  public byte[] low() {
    return prefix.clone();
  }

  /** Returns the least key above all of the table, or null when there is none. */
  public byte @Nullable [] high() {
    int next = tableOf(prefix) + 1;
    return next == 0 ? null : of(next).prefix;
  }

  /** Returns the user's key inside a key of the table. */
  public static byte[] userKey(byte[] key, int keyLength) {
    return Arrays.copyOfRange(key, PREFIX_BYTES, keyLength);
  }
}
