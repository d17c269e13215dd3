package io.github.coppicedb.lsm;

import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import java.util.List;

/**
 * Layers read as one ordered set: of each key the newest entry counts, a tombstone hides the older
 * ones, and a masked range hides all entries of older layers inside it. Immutable.
 */
public final class LayerStack {
  private final Layer[] layers;

  /** Makes a stack of layers, newest first. */
  public LayerStack(List<Layer> layers) {
    this.layers = layers.toArray(Layer[]::new);
  }

  private LayerStack(Layer[] layers) {
    this.layers = layers;
  }

  /**
   * Finds what a reader sees of a key.
   *
   * @return whether the key is present; its entry is then in {@code out}
   */
  public boolean find(byte[] key, int keyLength, EntryValue out) {
    return find(key, keyLength, KeyHash.of(key, keyLength), out);
  }

  /**
   * Finds what a reader sees of a key.
   *
   * @param hash the key's {@link KeyHash}
   * @return whether the key is present; its entry is then in {@code out}
   */
  public boolean find(byte[] key, int keyLength, long hash, EntryValue out) {
    for (Layer layer : layers) {
      if (layer.find(key, keyLength, hash, out)) {
        return !out.isTombstone();
      }
      if (layer.hides(key, keyLength)) {
        return false;
      }
    }
    return false;
  }

  /** Returns this stack with one more layer on top. */
  public LayerStack under(Layer newest) {
    Layer[] all = new Layer[layers.length + 1];
    all[0] = newest;
    System.arraycopy(layers, 0, all, 1, layers.length);
    return new LayerStack(all);
  }

  /** Returns a cursor over the keys that are present. */
  public EntryCursor cursor() {
    return layers.length == 1 ? new PresentCursor(layers[0].cursor()) : new MergingCursor(layers);
  }

  /** Returns the layers, newest first. */
  public List<Layer> layers() {
    return List.of(layers);
  }
}
