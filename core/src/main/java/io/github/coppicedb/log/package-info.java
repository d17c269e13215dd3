/** The write-ahead log and the manifest: what makes changes durable, and what is read at open. */
@NullMarked
package io.github.coppicedb.log;

import org.jspecify.annotations.NullMarked;
