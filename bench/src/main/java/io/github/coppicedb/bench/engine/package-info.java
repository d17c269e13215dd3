/** The engines in Java, behind one small interface. */
@NullMarked
package io.github.coppicedb.bench.engine;

import org.jspecify.annotations.NullMarked;
