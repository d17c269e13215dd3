package io.github.coppicedb.lsm;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The current version and the older ones that are still held, and the files that go when the last
 * version that refers to them does. Thread-safe; taking and giving back a version takes no lock
 * unless it was the last holder.
 */
final class VersionSet {
  private final Background background;
  private final List<Version> held = new ArrayList<>();
  private final List<Retired> retired = new ArrayList<>();
  private volatile Version current;

  VersionSet(Background background, Version first) {
    this.background = background;
    this.current = first;
    held.add(first);
  }

  Version current() {
    return current;
  }

  /** Returns the current version, held until {@link #release}. */
  Version acquire() {
    while (true) {
      Version version = current;
      if (version.retain()) {
        return version;
      }
    }
  }

  void release(Version version) {
    if (version.drop()) {
      List<Retired> dead;
      synchronized (this) {
        held.remove(version);
        dead = takeDead();
      }
      dispose(dead);
    }
  }

  /** Holds a version that keeps the files of some layers until it is released. */
  Version keep(List<ShelfItem> items) {
    Version version = Version.keeping(items);
    synchronized (this) {
      held.add(version);
    }
    return version;
  }

  /** Makes a version current. The caller serialises publications. */
  void publish(Version next) {
    Version last;
    synchronized (this) {
      held.add(next);
      last = current;
      current = next;
    }
    release(last);
  }

  /** Takes note of files that the current version does not refer to any more. */
  void retire(List<? extends Retired> files) {
    List<Retired> dead;
    synchronized (this) {
      retired.addAll(files);
      dead = takeDead();
    }
    dispose(dead);
  }

  /** Returns how many versions are held, the current one included. */
  synchronized int count() {
    return held.size();
  }

  private List<Retired> takeDead() {
    List<Retired> dead = new ArrayList<>();
    Iterator<Retired> all = retired.iterator();
    while (all.hasNext()) {
      Retired file = all.next();
      if (held.stream().noneMatch(file::neededBy)) {
        dead.add(file);
        all.remove();
      }
    }
    return dead;
  }

  private void dispose(List<Retired> dead) {
    if (!dead.isEmpty()) {
      background.submit(() -> dead.forEach(Retired::dispose));
    }
  }
}
