/** The tour of the database that {@code coppice demo} gives, and the keys it is given with. */
@NullMarked
package io.github.coppicedb.cli.demo;

import org.jspecify.annotations.NullMarked;
