/** Every layout on disk, as stateless classes: the only place that knows a byte's meaning. */
@NullMarked
package io.github.coppicedb.format;

import org.jspecify.annotations.NullMarked;
