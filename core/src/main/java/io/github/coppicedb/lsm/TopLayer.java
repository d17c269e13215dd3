package io.github.coppicedb.lsm;

import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.top.TopView;
import io.github.coppicedb.tree.EntryCursor;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.MaskedRanges;
import io.github.coppicedb.tree.PackedTree;
import java.util.Arrays;
import java.util.List;

/** What a top held when its mark was taken. */
public final class TopLayer implements Layer {
  private final ArenaTop top;
  private final TopView view;

  /** Makes the layer of all that was published before a mark. */
  public TopLayer(ArenaTop top, int mark) {
    this.top = top;
    this.view = top.view(mark);
  }

  @Override
  public boolean find(byte[] key, int keyLength, long hash, EntryValue out) {
    return view.find(key, keyLength, hash, out);
  }

  @Override
  public boolean hides(byte[] key, int keyLength) {
    MaskedRanges masks = view.masks();
    return !masks.isEmpty() && masks.covers(key, keyLength);
  }

  @Override
  public MaskedRanges masks() {
    return view.masks();
  }

  @Override
  public EntryCursor cursor() {
    return view.cursor();
  }

  @Override
  public boolean refersTo(long valueFile) {
    return Arrays.stream(top.largeFiles()).anyMatch(file -> file == valueFile);
  }

  @Override
  public List<PackedTree> trees() {
    return List.of();
  }
}
