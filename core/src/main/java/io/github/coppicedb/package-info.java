/**
 * The public interface of the database: {@code Database} opens a directory, {@code Table} is one
 * ordered map of byte keys to byte values, and the other types are the words they share.
 */
@NullMarked
package io.github.coppicedb;

import org.jspecify.annotations.NullMarked;
