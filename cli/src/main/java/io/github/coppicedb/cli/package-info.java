/** The command line: {@code Main}, one class a command, and the options that commands share. */
@NullMarked
package io.github.coppicedb.cli;

import org.jspecify.annotations.NullMarked;
