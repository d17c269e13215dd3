/** The workloads A to F of YCSB, by Coppice and by RocksDB. */
@NullMarked
package io.github.coppicedb.bench.ycsb;

import org.jspecify.annotations.NullMarked;
