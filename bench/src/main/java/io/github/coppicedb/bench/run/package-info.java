/** Running engines: the phases and what is measured, in the child and from the parent. */
@NullMarked
package io.github.coppicedb.bench.run;

import org.jspecify.annotations.NullMarked;
