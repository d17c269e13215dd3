/**
 * Packed trees: immutable sorted sets of entries, in heap or in a file, searched by the same code.
 */
@NullMarked
package io.github.coppicedb.tree;

import org.jspecify.annotations.NullMarked;
