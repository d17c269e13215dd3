package io.github.coppicedb.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.EntryKind;
import io.github.coppicedb.format.PackedPage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Values that equal the one before: what they take, where they are found, what is refused. */
class RepeatedValuesTest {
  private static final int KEY = 8;
  private static final byte[] ZEROS = new byte[64];

  /** Codes of a page of five entries of which the last two have bytes of their own. */
  private static final int FIRST = PackedPage.HEADER + 2 + 10 + 2;

  private record Value(byte kind, byte[] bytes) {
    static Value put(byte[] bytes) {
      return new Value(EntryKind.PUT, bytes);
    }
  }

  private static final Value TOMBSTONE = new Value(EntryKind.TOMBSTONE, new byte[0]);
  private static final Value LARGE = new Value(EntryKind.LARGE, new byte[24]);

  /** Builds a page of numbered keys, and stops where the builder does. */
  private static MemorySegment page(int pageBytes, int n, IntFunction<Value> values) {
    PageBuilder builder = new PageBuilder(pageBytes, 0);
    byte[] key = new byte[KEY];
    byte[] last = new byte[KEY];
    for (int i = 0; i < n; i++) {
      MemorySegment.ofArray(key).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, Long.reverseBytes(i));
      int lcp = i == 0 ? 0 : Arrays.mismatch(last, key);
      Value value = values.apply(i);
      byte[] bytes = value.bytes;
      if (!builder.accepts(lcp, value.kind, bytes, 0, bytes.length)) {
        break;
      }
      builder.add(lcp, key, 0, KEY, value.kind, bytes, 0, bytes.length);
      System.arraycopy(key, 0, last, 0, KEY);
    }
    int size = builder.size();
    byte[] page = builder.finish().toArray(ValueLayout.JAVA_BYTE);
    assertEquals(size, page.length);
    MemorySegment s = MemorySegment.ofArray(page);
    check(s);
    return s;
  }

  private static void check(MemorySegment page) {
    PageChecker.checkBytes(page, 0, "test", 0);
    PageChecker.checkFields(page, 0, "test", 0);
  }

  private static boolean isOneValue(MemorySegment page) {
    return PackedPage.isOneValue(PackedPage.flags(page, 0));
  }

  private static int count(MemorySegment page) {
    return PackedPage.count(page, 0);
  }

  @Test
  void rowsOfOneValueTakeTheirKeysOnly() {
    for (Value value : new Value[] {Value.put(ZEROS), TOMBSTONE, Value.put(new byte[1000])}) {
      MemorySegment page = page(4096, 5000, i -> value);
      assertTrue(isOneValue(page));
      long keys = page.byteSize() - value.bytes.length;
      assertTrue(10L * keys < 24L * count(page), keys + " bytes for " + count(page) + " keys");
      assertTrue(page.byteSize() > 4000 && page.byteSize() <= 4096, page.byteSize() + "");
    }
  }

  @Test
  void emptyValuesTakeNoCode() {
    MemorySegment page = page(4096, 100, i -> Value.put(new byte[0]));
    assertEquals(PackedPage.NARROW, PackedPage.flags(page, 0));
  }

  @Test
  void arrayOfRowsTakesOneCodeEach() {
    // The value changes once, so that each entry has a code.
    MemorySegment one = page(32768, 500, i -> Value.put(ZEROS));
    MemorySegment two = page(32768, 500, i -> Value.put(i < 100 ? ZEROS : new byte[] {1}));
    assertFalse(isOneValue(two));
    assertEquals(one.byteSize() - 5 + 500 + 4 * 32 + 1, two.byteSize());
    for (int i = 1; i < 500; i++) {
      boolean held = i == 100;
      assertEquals(held ? 1 : PackedPage.SAME_VALUE, PackedPage.valueCode(two, 0, 500, i));
    }
  }

  @Test
  void holdersAreFoundFromAnywhere() {
    for (int run : new int[] {1, 2, 7, 8, 9, 15, 16, 17, 64, 399}) {
      MemorySegment page =
          page(32768, 400, i -> Value.put(new byte[] {(byte) (i / run), (byte) ((i / run) >> 8)}));
      for (int i = 0; i < 400; i++) {
        int holder = i / run * run;
        if (i > holder) {
          assertEquals(holder, PackedPage.valueHolder(page, 0, 400, i, 0));
          for (int known = Math.max(0, holder - 3); known < i; known++) {
            int found = PackedPage.valueHolder(page, 0, 400, i, known);
            assertTrue(known >= holder ? found <= known : found == holder);
          }
        }
        assertEquals(holder / run & 255, Bytes.u8(page, PackedPage.valueAt(page, 0, 400, holder)));
      }
    }
  }

  /** Codes that stand for no bytes do not count where a value of the group is looked for. */
  @Test
  void valuesBehindRepeatsTombstonesAndReferences() {
    byte[] small = {9};
    byte[] large = new byte[300];
    Value[] kinds = {
      Value.put(small),
      Value.put(small),
      TOMBSTONE,
      TOMBSTONE,
      Value.put(large),
      Value.put(large),
      Value.put(ZEROS),
      LARGE,
      LARGE,
      Value.put(new byte[0]),
      Value.put(new byte[0]),
    };
    for (int skip = 1; skip < 11; skip++) {
      int step = skip;
      IntFunction<Value> values = i -> kinds[(i * step + i / 16) % 11];
      MemorySegment page = page(32768, 200, values);
      long at = PackedPage.valueAt(page, 0, 200, 0);
      for (int i = 0; i < 200; i++) {
        int code = PackedPage.valueCode(page, 0, 200, i);
        Value value = values.apply(i);
        assertEquals(value.kind, PackedPage.kind(code));
        assertEquals(at, PackedPage.valueAt(page, 0, 200, i));
        boolean same = code == PackedPage.SAME_VALUE;
        assertEquals(
            i > 0
                && value.kind == EntryKind.PUT
                && value.bytes.length > 0
                && Arrays.equals(value.bytes, values.apply(i - 1).bytes),
            same);
        at += PackedPage.valueBytes(page, code, at);
      }
      assertEquals(page.byteSize(), at);
    }
  }

  /** A page of one value ends before one that would make all entries of it need a code. */
  @Test
  void anotherValueDoesNotMakeAPageTooLarge() {
    for (Value first : new Value[] {Value.put(ZEROS), Value.put(new byte[0]), TOMBSTONE}) {
      for (int n = 1000; n < 1900; n += 50) {
        int change = n;
        MemorySegment page = page(4096, 5000, i -> i < change ? first : Value.put(new byte[] {7}));
        assertTrue(page.byteSize() <= 4096 + 64, page.byteSize() + " bytes, " + change);
        assertTrue(page.byteSize() > 2048, page.byteSize() + " bytes, " + change);
      }
    }
  }

  private static void refused(MemorySegment page, Consumer<MemorySegment> forgery) {
    byte[] bytes = page.toArray(ValueLayout.JAVA_BYTE);
    MemorySegment forged = MemorySegment.ofArray(bytes);
    forgery.accept(forged);
    PackedPage.seal(forged, (int) PackedPage.size(forged, 0));
    PageChecker.checkBytes(forged, 0, "test", 0);
    assertThrows(CorruptionException.class, () -> PageChecker.checkFields(forged, 0, "test", 0));
    assertThrows(
        CorruptionException.class, () -> new PageKeys().enterUnchecked(forged, 0, "test", 0));
  }

  private static void code(MemorySegment page, int i, int code) {
    Bytes.put8(page, FIRST + i, code);
  }

  @Test
  void wrongCodesAreRefused() {
    Value[] kinds = {Value.put(new byte[0]), TOMBSTONE, TOMBSTONE, LARGE, Value.put(ZEROS)};
    MemorySegment page = page(4096, 5, i -> kinds[i]);
    assertEquals(FIRST, PackedPage.payloadAt(0, 5, PackedPage.flags(page, 0)));
    // None of these changes how many bytes the values take.
    refused(page, s -> code(s, 0, PackedPage.SAME_VALUE));
    refused(page, s -> code(s, 2, PackedPage.SAME_VALUE));
    refused(page, s -> code(s, 1, 254));
    code(page, 1, PackedPage.SAME_VALUE);
    PackedPage.seal(page, (int) page.byteSize());
    check(page);
    MemorySegment behindLarge = page(4096, 5, i -> i < 2 ? LARGE : i < 4 ? TOMBSTONE : kinds[4]);
    refused(behindLarge, s -> code(s, 2, PackedPage.SAME_VALUE));
  }

  @Test
  void wrongPagesOfOneValueAreRefused() {
    MemorySegment page = page(4096, 5, i -> Value.put(ZEROS));
    int flags = PackedPage.flags(page, 0);
    assertEquals(PackedPage.HAS_VALUES | PackedPage.ONE_VALUE | PackedPage.NARROW, flags);
    refused(page, s -> Bytes.put8(s, PackedPage.FLAGS, flags & ~PackedPage.HAS_VALUES));
    refused(page, s -> Bytes.put8(s, PackedPage.FLAGS, flags & ~PackedPage.ONE_VALUE));
    refused(page, s -> Bytes.put8(s, PackedPage.FLAGS, flags | 8));
    refused(page, s -> Bytes.put8(s, PackedPage.LEVEL, 1));
    for (int code : new int[] {0, 63, 65, 251, 252, 253, 254, 255}) {
      refused(page, s -> code(s, 0, code));
    }
    for (int more : new int[] {-1, 1, 64, 1 << 30}) {
      refused(page, s -> Bytes.put32(s, FIRST + 1, Bytes.i32(s, FIRST + 1) + more));
    }
    MemorySegment tombstones = page(4096, 5, i -> TOMBSTONE);
    refused(tombstones, s -> code(s, 0, PackedPage.SAME_VALUE));
    refused(tombstones, s -> code(s, 0, 254));
    MemorySegment without = page(4096, 5, i -> Value.put(new byte[0]));
    refused(
        without, s -> Bytes.put8(s, PackedPage.FLAGS, PackedPage.ONE_VALUE | PackedPage.NARROW));
  }

  @Test
  void aPageIsAsItIsToldInTheDocument() {
    byte[] value = {5, 6, 7};
    MemorySegment one = page(4096, 3, i -> Value.put(value));
    assertEquals(PackedPage.HEADER + 2 + 6 + 2 + 1 + 4 + KEY + 3, one.byteSize());
    assertEquals(3, Bytes.u8(one, PackedPage.HEADER + 10));
    assertEquals(one.byteSize() - 3, Bytes.u32(one, PackedPage.HEADER + 11));
  }
}
