package io.github.coppicedb.bench.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class KeysTest {
  private static final int COUNT = 5_000;

  @TempDir private Path folder;

  private static List<String> texts(List<byte[]> keys) {
    return keys.stream().map(key -> new String(key, StandardCharsets.UTF_8)).toList();
  }

  private static List<String> generated(BuiltInSet set, long seed) throws IOException {
    return texts(new KeySource.Generated(set, seed).keys(COUNT));
  }

  @ParameterizedTest
  @EnumSource
  void generatorsRepeatTheirKeysAndThoseAreDistinct(BuiltInSet set) throws IOException {
    List<String> keys = generated(set, 7);
    assertEquals(keys, generated(set, 7));
    assertNotEquals(keys, generated(set, 8));
    assertEquals(COUNT, new HashSet<>(keys).size());
    assertTrue(keys.stream().noneMatch(key -> key.isEmpty() || key.contains("\n")));
  }

  @Test
  void generatorsStayTheSameForever() throws IOException {
    assertEquals(
        List.of("Mailwealton", "s", "/usr/share/doc/codec-doc/html/classbuffer_engine.html"),
        List.of(
            generated(BuiltInSet.TITLES, 1).get(100),
            generated(BuiltInSet.WORDS, 1).get(100),
            generated(BuiltInSet.PATHS, 1).get(100)));
  }

  @Test
  void commonWordsAreCommonInTitles() throws IOException {
    long the =
        generated(BuiltInSet.TITLES, 1).stream()
            .filter(title -> ("_" + title + "_").contains("_The_"))
            .count();
    assertTrue(the > COUNT / 50, "titles with The: " + the);
  }

  @Test
  void filesGiveDistinctLines() throws IOException {
    Path plain = Files.writeString(folder.resolve("plain"), "b\n\na\nb\nlast");
    assertEquals(List.of("b", "a", "last"), texts(new KeySource.Lines("x", plain).keys(9)));
    Path packed = folder.resolve("packed.gz");
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write("k\nl\n".getBytes(StandardCharsets.UTF_8));
    }
    assertEquals(List.of("k", "l"), texts(new KeySource.Lines("x", packed).keys(9)));
  }

  @Test
  void keysThatLmdbCannotTakeAreRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("long"), "a".repeat(512) + "\n");
    IOException refused =
        assertThrows(IOException.class, () -> new KeySource.Lines("x", file).keys(9));
    assertTrue(String.valueOf(refused.getMessage()).contains("a key of 512 bytes"));
  }

  @Test
  void keyFilesGiveBackWhatTheyGot() throws IOException {
    Path file = folder.resolve("keys");
    byte[] odd = {0, -1, '\n'};
    KeyFile.write(file, List.of(odd, new byte[0], new byte[300]));
    KeyBlock all = KeyFile.read(file, 10);
    assertEquals(3, all.size());
    assertArrayEquals(odd, all.get(0));
    assertArrayEquals(new byte[0], all.get(1));
    assertEquals(300, all.get(2).length);
    assertEquals(1, KeyFile.read(file, 1).size());
  }

  @Test
  void aBlockOfManyChunksGivesBackWhatItGot() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      byte[] key = new byte[i % 512];
      Arrays.fill(key, (byte) i);
      keys.add(key);
    }
    KeyBlock block = KeyBlock.of(keys);
    for (int i = 0; i < keys.size(); i++) {
      assertArrayEquals(keys.get(i), block.get(i));
    }
  }

  @Test
  void preparedKeysAreShuffledAndMissesAreAbsent() throws IOException {
    KeySource source = new KeySource.Generated(BuiltInSet.WORDS, 3);
    PreparedKeys prepared =
        PreparedKeys.prepare(source, new PreparedKeys.Wanted(COUNT, 200, 100), 5, folder);
    assertEquals(COUNT, prepared.count());
    List<String> keys = texts(KeyFile.read(prepared.keys(), COUNT));
    Set<String> present = new HashSet<>(texts(source.keys(COUNT)));
    assertEquals(present, new HashSet<>(keys));
    assertNotEquals(texts(source.keys(COUNT)), keys);
    List<String> misses = texts(KeyFile.read(prepared.misses(), COUNT));
    assertEquals(200, misses.size());
    assertTrue(misses.stream().noneMatch(present::contains));
    List<String> others = texts(KeyFile.read(prepared.others(), COUNT));
    assertEquals(100, others.size());
    // Some are: common words come with each seed.
    assertFalse(present.containsAll(others));
  }

  @Test
  void otherKeysOfFileAreTheLastOfTheShuffled() throws IOException {
    Path file = folder.resolve("lines");
    Files.writeString(file, "a\nb\nc\nd\n");
    KeySource source = new KeySource.Lines("lines", file);
    PreparedKeys prepared =
        PreparedKeys.prepare(source, new PreparedKeys.Wanted(2, 1, 2), 5, folder);
    List<String> all = new ArrayList<>(texts(KeyFile.read(prepared.keys(), 9)));
    all.addAll(texts(KeyFile.read(prepared.others(), 9)));
    assertEquals(Set.of("a", "b", "c", "d"), Set.copyOf(all));
    assertEquals(4, all.size());
  }

  @Test
  void streamedKeysAreThoseOfTheFile() throws Exception {
    Path file = folder.resolve("keys");
    KeyFile.write(file, List.of(new byte[] {1}, new byte[0], new byte[] {3}));
    List<byte[]> taken = new ArrayList<>();
    assertEquals(2, KeyFile.stream(file, 2, taken::add));
    assertEquals(2, taken.size());
    assertArrayEquals(new byte[] {1}, taken.getFirst());
  }

  @Test
  void distinctKeysKnowWhatTheySaw() {
    DistinctKeys seen = new DistinctKeys();
    for (int i = 0; i < 20_000; i++) {
      byte[] key = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
      assertFalse(seen.contains(key));
      assertTrue(seen.add(key));
      assertFalse(seen.add(key));
      assertTrue(seen.contains(key));
    }
  }
}
