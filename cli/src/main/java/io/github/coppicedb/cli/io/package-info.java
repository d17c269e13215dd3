/**
 * What commands read and print with: raw standard streams, lines of bytes, JSON, numbers for
 * people, a progress bar. Knows nothing of commands.
 */
@NullMarked
package io.github.coppicedb.cli.io;

import org.jspecify.annotations.NullMarked;
