package io.github.coppicedb.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileNamesTest {
  @Test
  void namesAreAsTheyAlwaysWere() {
    assertEquals("LOCK", FileNames.LOCK);
    assertEquals("MANIFEST", FileNames.MANIFEST);
    assertEquals("MANIFEST.tmp", FileNames.MANIFEST_TMP);
    assertEquals("000007.log", FileNames.log(7));
    assertEquals("000042.tree", FileNames.tree(42));
    assertEquals("1234567.value", FileNames.value(1_234_567));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999_999, 1_000_000, 999_999_999_999_999_999L})
  void namesGiveTheirIdsBack(long id) {
    assertTrue(FileNames.isLog(FileNames.log(id)));
    assertTrue(FileNames.isTree(FileNames.tree(id)));
    assertTrue(FileNames.isValue(FileNames.value(id)));
    assertFalse(FileNames.isLog(FileNames.tree(id)));
    assertEquals(id, FileNames.idOf(FileNames.log(id)));
    assertEquals(id, FileNames.idOf(FileNames.tree(id)));
    assertEquals(id, FileNames.idOf(FileNames.value(id)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".log",
        "1.log",
        "00001.log",
        "0000001.log",
        "-00001.log",
        "00000a.log",
        "000001.LOG",
        "000001.log.bak",
        "MANIFEST",
        "9999999999999999999.log",
        "000001log",
        "\u0661\u0661\u0661111.log"
      })
  void otherNamesAreNoIds(String name) {
    assertFalse(FileNames.isLog(name));
    assertThrows(IllegalArgumentException.class, () -> FileNames.idOf(name));
  }

  @Test
  void negativeIdsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> FileNames.log(-1));
  }
}
