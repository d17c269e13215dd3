package io.github.coppicedb.log;

/**
 * Where reading a log ended.
 *
 * @param endOffset the end of the last good frame; what stands behind it is to be cut off
 * @param nextSequence one more than the sequence of the last good frame
 * @param cutBytes bytes behind the end up to the last one that is not zero; 0 after a clean end
 */
public record LogEnd(long endOffset, long nextSequence, long cutBytes) {}
