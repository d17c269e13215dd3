/** Microbenchmarks of the parts of the engine, by JMH. */
@NullMarked
package io.github.coppicedb.bench.micro;

import org.jspecify.annotations.NullMarked;
