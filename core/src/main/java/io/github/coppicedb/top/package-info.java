/**
 * The active top: where changes go first. An append-only arena with a hash index for point reads,
 * put in order only when somebody walks or seals it.
 */
@NullMarked
package io.github.coppicedb.top;

import org.jspecify.annotations.NullMarked;
