/** The files of one directory, behind a seam of few methods. */
@NullMarked
package io.github.coppicedb.storage;

import org.jspecify.annotations.NullMarked;
