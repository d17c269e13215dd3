package io.github.coppicedb.lsm;

import io.github.coppicedb.top.ArenaTop;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * All that a database holds at one moment: the active top, the sealed layers in memory, the stored
 * levels. Immutable but for the active top, which only grows: a reader takes its mark and sees
 * nothing behind it.
 *
 * <p>Counted: tree and value files stay as long as a version that refers to them is held.
 */
public final class Version {
  // Weak, so that a snapshot that is held for long does not hold what was committed after it.
  private final WeakReference<Epoch> epoch;
  private final ArenaTop active;
  private final List<ShelfItem> shelf;
  private final Levels levels;
  private final List<Layer> older;
  // Made when a file is first asked for, under the monitor of the set of versions.
  private @Nullable Set<StoredTree> trees;
  // One for being current, and one for each holder; a version at zero never comes back.
  private final AtomicInteger holders = new AtomicInteger(1);

  Version(Epoch epoch, List<ShelfItem> shelf, Levels levels) {
    this.epoch = new WeakReference<>(epoch);
    this.active = Objects.requireNonNull(epoch.top());
    this.shelf = shelf;
    this.levels = levels;
    List<Layer> layers = new ArrayList<>();
    shelf.forEach(item -> layers.add(item.layer()));
    levels.runs().forEach(run -> layers.add(run.run()));
    this.older = List.copyOf(layers);
  }

  /** Makes a version that is never current and only keeps the files of some layers. */
  static Version keeping(List<ShelfItem> items) {
    return new Version(Epoch.of(new ArenaTop(true, 0)), items, Levels.NONE);
  }

  /** Returns the epoch of the active top, or null when it is over and nobody holds it. */
  public @Nullable Epoch epoch() {
    return epoch.get();
  }

  /** Returns the top that takes the commits. */
  public ArenaTop active() {
    return active;
  }

  /** Returns the layers below the active top, newest first. */
  public List<Layer> olderLayers() {
    return older;
  }

  /** Returns all layers, newest first, the active top as of a mark. */
  public List<Layer> layersAt(int mark) {
    if (mark == 0) {
      return older;
    }
    List<Layer> layers = new ArrayList<>(older.size() + 1);
    layers.add(new TopLayer(active, mark));
    layers.addAll(older);
    return layers;
  }

  List<ShelfItem> shelf() {
    return shelf;
  }

  Levels levels() {
    return levels;
  }

  boolean holds(StoredTree tree) {
    Set<StoredTree> known = trees;
    if (known == null) {
      known = new HashSet<>(levels.trees());
      for (ShelfItem item : shelf) {
        known.addAll(item.files());
      }
      trees = known;
    }
    return known.contains(tree);
  }

  /**
   * Returns whether a value file is needed: an entry refers to it, or one did before it was merged
   * away and the log would bring it back.
   */
  boolean refersTo(long valueFile) {
    return new TopLayer(active, active.mark()).refersTo(valueFile)
        || older.stream().anyMatch(layer -> layer.refersTo(valueFile))
        || shelf.stream().anyMatch(item -> item.dropped().contains(valueFile));
  }

  boolean retain() {
    int count;
    do {
      count = holders.get();
      if (count == 0) {
        return false;
      }
    } while (!holders.compareAndSet(count, count + 1));
    return true;
  }

  /** Returns whether the last holder has let go. */
  boolean drop() {
    return holders.decrementAndGet() == 0;
  }
}
