package io.github.coppicedb.tx;

import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.lsm.Epoch;
import io.github.coppicedb.lsm.Layer;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.top.ChangedKeys;
import io.github.coppicedb.top.KeyVisitor;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.MaskedRanges;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * First committer wins: whether a key that a transaction changed was changed, by itself or by a
 * deleted range, in a commit after the transaction's snapshot. A deleted range meets every key that
 * was changed inside it. What is not known any more counts as met: too much was committed
 * meanwhile. Under the commit lock.
 */
final class Validation {
  private Validation() {}

  /** Returns whether a small transaction's changes meet anything since its snapshot. */
  static boolean conflicts(ArenaTop mine, Epoch since, int mark) {
    return anyEpoch(
        since,
        mark,
        (theirs, from) -> meets(mine, theirs, from),
        theirs -> meetsLarge(mine, theirs));
  }

  /** Returns whether a large transaction's changes meet anything since its snapshot. */
  static boolean conflicts(List<Layer> mine, Epoch since, int mark) {
    return anyEpoch(
        since,
        mark,
        (theirs, from) -> meets(mine, theirs, from),
        theirs -> meetsLarge(mine, theirs));
  }

  private interface TopTest {
    boolean meets(ChangedKeys theirs, int from);
  }

  private static boolean anyEpoch(
      Epoch since, int mark, TopTest meetsTop, Predicate<List<Layer>> meetsLayers) {
    int from = mark;
    for (Epoch epoch = since; epoch != null; epoch = epoch.next()) {
      ChangedKeys changes = epoch.changes();
      if (epoch.hasForgottenSince(from)
          || (changes != null ? meetsTop.meets(changes, from) : meetsLayers.test(epoch.layers()))) {
        return true;
      }
      from = 0;
    }
    return false;
  }

  /** Returns whether two small transactions' changes meet. */
  static boolean meets(ArenaTop mine, ChangedKeys theirs, int from) {
    if (theirs.bytes() <= from) {
      return false;
    }
    for (MaskedRanges.Range range : masksOf(mine).list()) {
      if (theirs.changedSince(from, range)) {
        return true;
      }
    }
    return !mine.forEachKey((key, length, hash) -> !theirs.changedSince(from, key, length, hash));
  }

  private static boolean meetsLarge(ArenaTop mine, List<Layer> theirs) {
    for (MaskedRanges.Range range : masksOf(mine).list()) {
      if (changes(theirs, range)) {
        return true;
      }
    }
    EntryValue value = new EntryValue();
    return !mine.forEachKey((key, length, hash) -> !changes(theirs, key, length, hash, value));
  }

  private static boolean meets(List<Layer> mine, ChangedKeys theirs, int from) {
    if (theirs.bytes() <= from) {
      return false;
    }
    for (Layer layer : mine) {
      for (MaskedRanges.Range range : layer.masks().list()) {
        if (theirs.changedSince(from, range)) {
          return true;
        }
      }
    }
    if (!theirs.hasMasks()) {
      // Their keys are few: look each of them up in the large transaction.
      EntryValue value = new EntryValue();
      return !theirs.forEachKey(
          (key, length, hash) ->
              !theirs.changedSince(from, key, length, hash)
                  || !changes(mine, key, length, hash, value));
    }
    return anyKey(mine, (key, length, hash) -> theirs.changedSince(from, key, length, hash));
  }

  private static boolean meetsLarge(List<Layer> mine, List<Layer> theirs) {
    for (Layer layer : mine) {
      for (MaskedRanges.Range range : layer.masks().list()) {
        if (changes(theirs, range)) {
          return true;
        }
      }
    }
    EntryValue value = new EntryValue();
    return anyKey(mine, (key, length, hash) -> changes(theirs, key, length, hash, value));
  }

  private static boolean changes(
      List<Layer> layers, byte[] key, int length, long hash, EntryValue value) {
    for (Layer layer : layers) {
      if (layer.find(key, length, hash, value) || layer.hides(key, length)) {
        return true;
      }
    }
    return false;
  }

  private static boolean changes(List<Layer> layers, MaskedRanges.Range range) {
    for (Layer layer : layers) {
      EntryCursor cursor = layer.cursor();
      if (layer.masks().intersects(range.low(), range.high())
          || (cursor.seekCeiling(range.low(), range.low().length)
              && isBelow(cursor, range.high()))) {
        return true;
      }
    }
    return false;
  }

  private static boolean anyKey(List<Layer> layers, KeyVisitor test) {
    for (Layer layer : layers) {
      EntryCursor cursor = layer.cursor();
      for (boolean on = cursor.first(); on; on = cursor.next()) {
        long hash = KeyHash.of(cursor.key(), cursor.keyLength());
        if (test.visit(cursor.key(), cursor.keyLength(), hash)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isBelow(EntryCursor cursor, byte @Nullable [] high) {
    return high == null
        || Arrays.compareUnsigned(cursor.key(), 0, cursor.keyLength(), high, 0, high.length) < 0;
  }

  private static MaskedRanges masksOf(ArenaTop top) {
    return top.view(top.mark()).masks();
  }
}
