/** Benchmarks: Coppice beside other engines, each in a process of its own. */
@NullMarked
package io.github.coppicedb.bench;

import org.jspecify.annotations.NullMarked;
