package io.github.coppicedb.lsm;

import io.github.coppicedb.tree.PackedTree;

/**
 * A packed tree in a file that is open.
 *
 * @param fileId number of the tree file
 * @param fileBytes length of the file
 * @param tree the tree over the file's mapping
 */
public record StoredTree(long fileId, long fileBytes, PackedTree tree) {
  @Override
  public boolean equals(Object other) {
    return other instanceof StoredTree that && that.fileId == fileId;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(fileId);
  }
}
