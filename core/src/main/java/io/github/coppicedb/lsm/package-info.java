/**
 * Layers of trees: what a version consists of, how it is read as one ordered set, and how its
 * layers are merged in memory and on disk.
 */
@NullMarked
package io.github.coppicedb.lsm;

import org.jspecify.annotations.NullMarked;
