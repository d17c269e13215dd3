/** Packed pages: search in one, build one, check one. Their layout is in the package format. */
@NullMarked
package io.github.coppicedb.page;

import org.jspecify.annotations.NullMarked;
