/** The write-ahead log: what was committed and is not yet in tree files. */
@NullMarked
package io.github.coppicedb.log;

import org.jspecify.annotations.NullMarked;
