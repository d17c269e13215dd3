/** The keys of the benchmarks: generators, files, and what the runs read. */
@NullMarked
package io.github.coppicedb.bench.keys;

import org.jspecify.annotations.NullMarked;
