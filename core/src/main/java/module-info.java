/** The engine: an embedded transactional ordered key-value database. */
module io.github.coppicedb.core {
  requires static transitive org.jspecify;

  exports io.github.coppicedb;
}
