/** Tools for tests: a simulated storage that forgets like a device after a power cut. */
@NullMarked
package io.github.coppicedb.testkit;

import org.jspecify.annotations.NullMarked;
