package io.github.coppicedb.log;

/**
 * A place between two frames of the log: recovery that begins there needs nothing before it.
 *
 * @param log id of the log file
 * @param offset first byte behind the last frame that is not needed
 * @param sequence sequence number of the first frame that is needed
 */
public record LogPosition(long log, long offset, long sequence) {}
