package io.github.coppicedb.cli.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonTest {
  @Test
  void membersOfAllKinds() {
    assertEquals("{}", new Json().toString());
    assertEquals(
        "{\"s\":\"x\",\"l\":-5,\"d\":1.500,\"b\":true}",
        new Json().put("s", "x").put("l", -5).put("d", 1.5).put("b", true).toString());
    assertEquals(
        "{\"a\":[],\"b\":[\"1\",\"2\"],\"c\":[{},{\"x\":1}]}",
        new Json()
            .putStrings("a", List.of())
            .putStrings("b", List.of("1", "2"))
            .putObjects("c", List.of(new Json(), new Json().put("x", 1)))
            .toString());
    assertEquals("{\"d\":null}", new Json().put("d", 0.0 / 0).toString());
  }

  @Test
  void everyControlCharacterIsEscaped() {
    for (char c = 0; c < ' '; c++) {
      String text = new Json().put("c", String.valueOf(c)).toString();
      assertEquals(-1, text.indexOf(c), "character " + (int) c);
    }
    assertEquals(
        "{\"\\\"\":\"\\\\ \\\" \\n \\r \\t \\u0000 \\u001f / \u007F\"}",
        new Json().put("\"", "\\ \" \n \r \t \0 \u001f / \u007F").toString());
  }

  @Test
  void bytesAreTextOnlyWhenTheyAre() {
    assertEquals("{\"k\":\"ü\"}", bytes("ü".getBytes(StandardCharsets.UTF_8)));
    assertEquals("{\"k\":\"\"}", bytes(new byte[0]));
    assertEquals("{\"k\":\"\uFFFD\"}", bytes("\uFFFD".getBytes(StandardCharsets.UTF_8)));
    assertEquals("{\"kHex\":\"ff\"}", bytes(new byte[] {(byte) 0xFF}));
    assertEquals("{\"kHex\":\"61c3\"}", bytes(new byte[] {'a', (byte) 0xC3}));
    assertEquals(
        "{\"kHex\":\"eda080\"}", bytes(new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}));
    assertEquals("{\"kHex\":\"c080\"}", bytes(new byte[] {(byte) 0xC0, (byte) 0x80}));
    assertEquals("{\"kHex\":\"61\"}", new Json().put("k", new byte[] {'a'}, true).toString());
  }

  private static String bytes(byte[] bytes) {
    return new Json().put("k", bytes, false).toString();
  }
}
