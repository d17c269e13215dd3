/**
 * Transactions: what a reader sees, what a writer has changed, and how commits are validated,
 * logged and applied in one order.
 */
@NullMarked
package io.github.coppicedb.tx;

import org.jspecify.annotations.NullMarked;
