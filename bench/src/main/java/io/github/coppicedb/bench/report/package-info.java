/** What is told of the runs: CSV, Markdown, plots, lines. */
@NullMarked
package io.github.coppicedb.bench.report;

import org.jspecify.annotations.NullMarked;
