package io.github.coppicedb.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TreeSettingsTest {
  @Test
  void theOldestTreesHaveABitLess() {
    assertEquals(new TreeSettings(4096, 8), TreeSettings.DEFAULT.ofOldest());
    assertEquals(new TreeSettings(64, 1), new TreeSettings(64, 1).ofOldest());
    assertEquals(new TreeSettings(64, 0), new TreeSettings(64, 0).ofOldest());
  }

  @Test
  void refusesWhatNoPageOrFilterIsMadeFor() {
    assertThrows(IllegalArgumentException.class, () -> new TreeSettings(63, 10));
    assertThrows(IllegalArgumentException.class, () -> new TreeSettings((1 << 15) + 1, 10));
    assertThrows(IllegalArgumentException.class, () -> new TreeSettings(4096, -1));
    assertThrows(IllegalArgumentException.class, () -> new TreeSettings(4096, 33));
  }
}
