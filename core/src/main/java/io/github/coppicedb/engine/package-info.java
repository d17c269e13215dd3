/** Opens, recovers and closes a database, and keeps its manifest and its catalog of tables. */
@NullMarked
package io.github.coppicedb.engine;

import org.jspecify.annotations.NullMarked;
