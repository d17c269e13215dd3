package io.github.coppicedb;

/** What a key, a value and a name may measure. Checked before anything changes. */
public final class Limits {
  /** The longest key, in bytes. The empty key is legal. */
  public static final int MAX_KEY_BYTES = 1 << 16;

  /** The longest value, in bytes. The empty value is legal, and is not the same as no value. */
  public static final int MAX_VALUE_BYTES = 1 << 30;

  /** The longest table name, in bytes of its UTF-8 form. */
  public static final int MAX_TABLE_NAME_BYTES = 255;

  private Limits() {}
}
