/** Tests of the whole database: random histories, crashes, faults, limits, and known bugs. */
@NullMarked
package io.github.coppicedb.verify;

import org.jspecify.annotations.NullMarked;
