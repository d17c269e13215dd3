/** The second document's measurement: ordered rows, then random inserts, then selects. */
@NullMarked
package io.github.coppicedb.bench.inserts;

import org.jspecify.annotations.NullMarked;
