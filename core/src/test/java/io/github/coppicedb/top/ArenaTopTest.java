package io.github.coppicedb.top;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.format.BatchFormat;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.KeyHash;
import io.github.coppicedb.format.ValueReference;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tree.MaskedRanges;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random changes of one top against a model, at every mark, and the edges one by one. */
class ArenaTopTest {
  private static final byte[] NOTHING = {};

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @ParameterizedTest
  @CsvSource({
    "true, 2, 3", "true, 2, 8", "true, 256, 2", "true, 4, 30", "true, 3, 6",
    "false, 2, 3", "false, 2, 8", "false, 256, 2", "false, 4, 30", "false, 3, 6"
  })
  void answersAsTheModelAtEveryMark(boolean isShared, int alphabet, int maxLength) {
    System.out.println("seed " + seed);
    for (int round = 0; round < 12; round++) {
      ArenaTop top = new ArenaTop(isShared);
      List<Integer> marks = new ArrayList<>(List.of(0));
      List<TopModel> models = new ArrayList<>(List.of(new TopModel()));
      int steps = 1 + random.nextInt(30);
      for (int step = 0; step < steps; step++) {
        TopModel model = models.getLast().copy();
        change(top, model, alphabet, maxLength);
        top.publish();
        marks.add(top.mark());
        models.add(model);
        if (!isShared && random.nextInt(6) == 0) {
          int back = random.nextInt(marks.size());
          top.truncate(marks.get(back));
          marks.subList(back + 1, marks.size()).clear();
          models.subList(back + 1, models.size()).clear();
          assertEquals(marks.getLast(), top.mark());
        }
        int at = random.nextInt(3) == 0 ? random.nextInt(marks.size()) : marks.size() - 1;
        models.get(at).check(top.view(marks.get(at)), random, alphabet, maxLength);
      }
      for (int at = 0; at < marks.size(); at++) {
        models.get(at).check(top.view(marks.get(at)), random, alphabet, maxLength);
      }
      if (!isShared && random.nextBoolean()) {
        top.freeze();
        for (int at = 0; at < marks.size(); at++) {
          models.get(at).check(top.view(marks.get(at)), random, alphabet, maxLength);
        }
        assertThrows(IllegalStateException.class, () -> top.truncate(0));
      }
      checkCopies(top, models.getLast(), alphabet, maxLength);
    }
  }

  /** Makes a few changes of any kind, in the top and in the model. */
  private void change(ArenaTop top, TopModel model, int alphabet, int maxLength) {
    int changes = random.nextInt(12);
    for (int i = 0; i < changes; i++) {
      switch (random.nextInt(16)) {
        case 0 -> mask(top, model, alphabet, maxLength);
        case 1 -> {
          ArenaTop other = new ArenaTop(random.nextBoolean());
          TopModel otherModel = new TopModel();
          for (int j = random.nextInt(10); j > 0; j--) {
            if (random.nextInt(5) == 0) {
              mask(other, otherModel, alphabet, maxLength);
            }
            put(other, otherModel, alphabet, maxLength);
          }
          top.appendAll(other);
          model.apply(otherModel);
        }
        default -> put(top, model, alphabet, maxLength);
      }
    }
  }

  private void put(ArenaTop top, TopModel model, int alphabet, int maxLength) {
    byte[] key = TopModel.key(random, alphabet, maxLength);
    byte[] buffer = Arrays.copyOf(key, key.length + random.nextInt(4));
    if (random.nextInt(4) == 0) {
      top.putTombstone(buffer, key.length);
      model.put(key, EntryKind.TOMBSTONE, NOTHING);
      return;
    }
    boolean isLarge = random.nextInt(10) == 0;
    int length = random.nextInt(20) == 0 ? 8180 + random.nextInt(30) : random.nextInt(12);
    byte[] value = new byte[isLarge ? ValueReference.BYTES : length];
    random.nextBytes(value);
    byte kind = isLarge ? EntryKind.LARGE : EntryKind.PUT;
    top.put(buffer, key.length, kind, MemorySegment.ofArray(value), 0, value.length);
    model.put(key, kind, value);
  }

  private void mask(ArenaTop top, TopModel model, int alphabet, int maxLength) {
    byte[] low = TopModel.key(random, alphabet, maxLength);
    byte @Nullable [] high =
        random.nextInt(4) == 0 ? null : TopModel.key(random, alphabet, maxLength);
    top.maskRange(low, high);
    model.mask(low, high);
  }

  /** Sends all of a top through the log's form and through another top. */
  private void checkCopies(ArenaTop top, TopModel model, int alphabet, int maxLength) {
    byte[] batch = new byte[3 + top.encodedBytes()];
    assertEquals(batch.length, top.encodeTo(batch, 3));
    ArenaTop decoded = new ArenaTop(random.nextBoolean());
    ArenaTop.decode(MemorySegment.ofArray(batch).asSlice(3), decoded);
    decoded.publish();
    model.check(decoded.view(decoded.mark()), random, alphabet, maxLength);
    ArenaTop copied = new ArenaTop(random.nextBoolean());
    copied.appendAll(top);
    copied.publish();
    model.check(copied.view(copied.mark()), random, alphabet, maxLength);
    assertArrayEquals(top.largeFiles(), copied.largeFiles());
  }

  @Test
  void aTopIsEmptyAtFirst() {
    ArenaTop top = new ArenaTop(true);
    assertTrue(top.isEmpty());
    assertEquals(0, top.bytes());
    assertEquals(0, top.mark());
    assertFalse(top.view(0).cursor().first());
    assertTrue(top.view(0).masks().isEmpty());
    assertEquals(0, top.view(0).entriesAtMost());
    assertEquals(0, top.largeFiles().length);
  }

  @Test
  void theEmptyKeyAndTheEmptyValueAreLikeAnyOther() {
    ArenaTop top = new ArenaTop(false);
    put(top, "", "");
    put(top, "\0", "x");
    TopView view = top.view(top.mark());
    assertEquals("", get(view, ""));
    assertEquals("x", get(view, "\0"));
    assertTrue(view.cursor().seekFloor(NOTHING, 0));
  }

  @Test
  void recordsCountFromPublishOn() {
    ArenaTop top = new ArenaTop(true);
    put(top, "a", "1");
    assertEquals(0, top.mark());
    top.publish();
    TopView view = top.view(top.mark());
    put(top, "a", "2");
    assertEquals("1", get(view, "a"));
    assertEquals("1", get(top.view(top.mark()), "a"));
    top.publish();
    assertEquals("1", get(view, "a"));
    assertEquals("2", get(top.view(top.mark()), "a"));
  }

  @Test
  void anOldViewFindsAKeyThatWasWrittenManyTimesSince() {
    ArenaTop top = new ArenaTop(true);
    List<TopView> views = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      top.publish();
      views.add(top.view(top.mark()));
      put(top, "hot", "" + i);
      put(top, "k" + i % 50, "" + i);
    }
    top.publish();
    assertEquals("absent", get(views.getFirst(), "hot"));
    for (int i = 1; i < 500; i++) {
      assertEquals("" + (i - 1), get(views.get(i), "hot"));
      assertEquals("" + (i - 1), get(views.get(i), "k" + (i - 1) % 50));
    }
  }

  @Test
  void aValueThatCannotBeReadChangesNothing() {
    ArenaTop top = new ArenaTop(true);
    put(top, "a", "1");
    MemorySegment tooShort = MemorySegment.ofArray(new byte[3]);
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> top.put(bytes("a"), 1, EntryKind.PUT, tooShort, 0, 4));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> top.put(bytes("a"), 2, EntryKind.PUT, tooShort, 0, 3));
    top.publish();
    assertEquals("1", get(top.view(top.mark()), "a"));
    assertEquals(1, top.view(top.mark()).entriesAtMost());
  }

  @Test
  void aMaskDeletesOwnKeysAndHidesOlderLayers() {
    ArenaTop top = new ArenaTop(true);
    put(top, "b", "1");
    top.publish();
    int before = top.mark();
    top.maskRange(bytes("a"), bytes("c"));
    top.maskRange(bytes("x"), bytes("x"));
    top.publish();
    int masked = top.mark();
    put(top, "b", "2");
    top.publish();
    assertEquals("1", get(top.view(before), "b"));
    assertTrue(top.view(before).masks().isEmpty());
    assertEquals("deleted", get(top.view(masked), "b"));
    assertEquals("absent", get(top.view(masked), "bb"));
    assertTrue(top.view(masked).masks().covers(bytes("bb"), 2));
    assertEquals("2", get(top.view(top.mark()), "b"));
    assertEquals(1, top.view(top.mark()).masks().list().size());
  }

  @Test
  void aMaskThatIsAppendedDeletesTheKeysOfTheTop() {
    ArenaTop top = new ArenaTop(true);
    put(top, "a", "1");
    put(top, "b", "1");
    ArenaTop transaction = new ArenaTop(false);
    put(transaction, "b", "2");
    transaction.maskRange(bytes("a"), null);
    put(transaction, "c", "3");
    top.appendAll(transaction);
    top.publish();
    TopView view = top.view(top.mark());
    assertEquals("deleted", get(view, "a"));
    assertEquals("deleted", get(view, "b"));
    assertEquals("3", get(view, "c"));
  }

  @Test
  void changesFromAMarkOnAreAppendedAlone() {
    ArenaTop first = new ArenaTop(false);
    put(first, "a", "1");
    first.maskRange(bytes("x"), null);
    int mark = first.mark();
    put(first, "b", "2");
    first.maskRange(bytes("a"), bytes("b"));
    ArenaTop later = new ArenaTop(false);
    later.appendSince(first, mark);
    TopView view = later.view(later.mark());
    assertEquals("deleted", get(view, "a"));
    assertEquals("2", get(view, "b"));
    assertEquals(1, view.masks().list().size());
    assertEquals(3, view.entriesAtMost());
  }

  @Test
  void changesSinceAMarkAreSeen() {
    ArenaTop top = new ArenaTop(true);
    put(top, "a", "1");
    int mark = top.bytes();
    assertFalse(changed(top, mark, "a"));
    put(top, "b", "1");
    assertFalse(changed(top, mark, "a"));
    assertTrue(changed(top, mark, "b"));
    assertTrue(changed(top, 0, "a"));
    assertFalse(changed(top, mark, "a", "b"));
    assertTrue(changed(top, mark, "a", "c"));
    assertTrue(changed(top, mark, "b", "b\0"));
    assertFalse(changed(top, mark, "c", null));
    int later = top.bytes();
    top.maskRange(bytes("d"), bytes("f"));
    assertTrue(changed(top, later, "e"));
    assertFalse(changed(top, later, "f"));
    assertTrue(changed(top, later, "e", null));
    assertTrue(changed(top, later, "", "d\0"));
    assertFalse(changed(top, later, "", "d"));
    assertFalse(changed(top, later, "f", null));
  }

  @Test
  void everyKeyIsShownUntilTheVisitorStops() {
    ArenaTop top = new ArenaTop(false);
    put(top, "a", "1");
    top.maskRange(bytes("x"), null);
    put(top, "b", "1");
    List<String> seen = new ArrayList<>();
    assertTrue(
        top.forEachKey(
            (key, length, hash) -> {
              assertEquals(KeyHash.of(key, length), hash);
              return seen.add(new String(key, 0, length, StandardCharsets.ISO_8859_1));
            }));
    assertEquals(List.of("a", "b"), seen);
    assertFalse(top.forEachKey((key, length, hash) -> false));
  }

  @Test
  void onlyAPrivateTopIsTruncated() {
    assertThrows(IllegalStateException.class, () -> new ArenaTop(true).truncate(0));
    assertThrows(IllegalArgumentException.class, () -> new ArenaTop(false).truncate(1));
  }

  @Test
  void aTopThatIsTooLargeRefusesAndIsUnchanged() {
    ArenaTop top = new ArenaTop(false);
    put(top, "a", "1");
    MemorySegment huge = MemorySegment.NULL;
    assertThrows(
        IllegalStateException.class,
        () -> top.put(bytes("b"), 1, EntryKind.PUT, huge, 0, ArenaTop.MAX_BYTES));
    assertThrows(
        IllegalArgumentException.class,
        () -> top.put(bytes("b"), BatchFormat.MAX_KEY_BYTES + 1, EntryKind.PUT, huge, 0, 0));
    assertEquals("1", get(top.view(top.mark()), "a"));
    assertEquals(1, top.view(top.mark()).entriesAtMost());
  }

  @Test
  void theLongestKeyAndALongValueFit() {
    ArenaTop top = new ArenaTop(true);
    byte[] key = new byte[BatchFormat.MAX_KEY_BYTES];
    random.nextBytes(key);
    byte[] value = new byte[1 << 20];
    random.nextBytes(value);
    top.put(key, key.length, EntryKind.PUT, MemorySegment.ofArray(value), 0, value.length);
    top.publish();
    EntryValue found = new EntryValue();
    assertTrue(top.view(top.mark()).find(key, key.length, KeyHash.of(key, key.length), found));
    assertArrayEquals(value, found.copy());
    byte[] batch = new byte[top.encodedBytes()];
    assertEquals(batch.length, top.encodeTo(batch, 0));
    ArenaTop decoded = new ArenaTop(false);
    ArenaTop.decode(MemorySegment.ofArray(batch), decoded);
    assertEquals(top.bytes(), decoded.bytes());
  }

  @Test
  void aSmallTransactionTakesLittleMemory() {
    ArenaTop top = new ArenaTop(false);
    put(top, "key", "value");
    assertTrue(top.heapBytes() <= 1024);
    assertEquals("value", get(top.view(top.mark()), "key"));
    assertTrue(top.heapBytes() <= 1024);
  }

  @Test
  void filesOfLargeValuesAreNamedOnce() {
    ArenaTop top = new ArenaTop(false);
    for (long id : new long[] {7, 300, 7}) {
      byte[] reference = new byte[ValueReference.BYTES];
      reference[0] = (byte) id;
      reference[1] = (byte) (id >> 8);
      MemorySegment value = MemorySegment.ofArray(reference);
      top.put(bytes("k" + id), 2, EntryKind.LARGE, value, 0, reference.length);
    }
    assertArrayEquals(new long[] {7, 300}, top.largeFiles());
  }

  private static boolean changed(ArenaTop top, int mark, String key) {
    byte[] bytes = bytes(key);
    return top.changedSince(mark, bytes, bytes.length, KeyHash.of(bytes, bytes.length));
  }

  private static boolean changed(ArenaTop top, int mark, String low, @Nullable String high) {
    byte @Nullable [] end = high == null ? null : bytes(high);
    return top.changedSince(mark, new MaskedRanges.Range(bytes(low), end));
  }

  private static void put(ArenaTop top, String key, String value) {
    byte[] bytes = bytes(value);
    byte[] keyBytes = bytes(key);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    top.put(keyBytes, keyBytes.length, EntryKind.PUT, segment, 0, bytes.length);
  }

  private static String get(TopView view, String key) {
    byte[] bytes = bytes(key);
    EntryValue value = new EntryValue();
    if (!view.find(bytes, bytes.length, KeyHash.of(bytes, bytes.length), value)) {
      return "absent";
    }
    return value.isTombstone() ? "deleted" : new String(value.copy(), StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
