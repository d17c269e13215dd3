package io.github.coppicedb.page;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.format.ByteArrays;
import io.github.coppicedb.format.Bytes;
import io.github.coppicedb.format.PackedPage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a page, one at a time, put together in a buffer that stays from page to page. The
 * fields of the page were checked, or a walk from its first entry to its last checks them as it
 * goes: to check a page before a walk over it takes as long as the walk. Confined to one thread.
 *
 * <p>Forward, what an entry does not share with the one before is written over. For that the page
 * is copied, without its values, when the first such step on it is made: one copy of some KiB costs
 * less than to reach into a mapped file for each of hundreds of pieces of a few bytes. Anywhere
 * else, the pieces of a key are gathered from the page, from its entry back to those that begin it.
 *
 * <p>Invariants: on entry {@code index} the first {@code keyLength} bytes of {@code key} are its
 * key. While {@code ready} is not 0, {@code copy} holds the page, and {@code nextRest} is where the
 * rest of the next entry stands in it. Both arrays go on for {@link ByteArrays#SLACK} bytes. While
 * {@code file} is not null, the page is checked up to the entry, and {@code ready} is at most the
 * end of its group.
 */
public final class PageKeys {
  private static final long EVERY_LANE = 0x0001_0001_0001_0001L;
  private static final long CODE_LANES = 0x000F_000F_000F_000FL;
  private static final long ABOVE_CODES = 0x0010_0010_0010_0010L;

  private MemorySegment s = MemorySegment.NULL;
  private long page;
  private int n;
  private int flags;
  private boolean narrow;
  private int leastLcp;
  private long criticalsAt;
  private int index = -1;

  private byte[] copy = {};
  private boolean copied;
  // The entries of the page when next() can go on in the copy, else 0.
  private int ready;
  private int criticals;
  private int lengths;
  private int nextRest;

  private byte[] key = new byte[64 + ByteArrays.SLACK];
  private int keyLength;
  private int lcp;

  // Of a page that is checked on the way: its file and its place there, where its first rest
  // stands and its last one ends, and how much an lcp exceeds the least one at least, so far.
  private @Nullable String file;
  private long fileOffset;
  private int rests;
  private int restsEnd;
  private int leastOver;

  /** Makes a buffer that is in no page; enter one. */
  public PageKeys() {}

  /** Enters a page, before its first entry. */
  public void enter(MemorySegment segment, long begin) {
    s = segment;
    page = begin;
    n = PackedPage.count(segment, begin);
    flags = PackedPage.flags(segment, begin);
    narrow = PackedPage.isNarrow(flags);
    leastLcp = PackedPage.leastLcp(segment, begin);
    criticalsAt = PackedPage.criticalsAt(begin, n);
    index = -1;
    copied = false;
    ready = 0;
    file = null;
  }

  /**
   * Enters a page of a file that was not checked, before its first entry. What is not checked now,
   * {@link #next} checks. Until it returns false, or {@link #trust}, no other move may be made.
   *
   * @param name the file's name, for the message
   * @param at the page's place in the file, for the message
   */
  public void enterUnchecked(MemorySegment segment, long begin, String name, long at) {
    PageChecker.checkBytes(segment, begin, name, at);
    restsEnd = PageChecker.checkFrame(segment, begin, name, at);
    enter(segment, begin);
    leastOver = n == 1 ? 0 : PackedPage.LCP_RANGE;
    fileOffset = at;
    file = name;
  }

  /** Takes note that all of the page was checked. */
  public void trust() {
    file = null;
    ready = 0;
  }

  /** Returns how many entries the page has. */
  public int count() {
    return n;
  }

  /**
   * Moves to the next entry of the page; false leaves it where it is.
   *
   * @throws io.github.coppicedb.CorruptionException if the page is checked on the way, and what it
   *     says of the entry is wrong
   */
  public boolean next() {
    int i = index + 1;
    if (i >= ready) {
      return i < n ? nextInCopy(i) : end();
    }
    byte[] from = copy;
    int critical = ByteArrays.u16(from, criticals + 2 * i);
    int at = nextRest;
    int rest;
    if (narrow) {
      rest = critical & PackedPage.NARROW_LONG_REST;
      critical >>>= PackedPage.NARROW_SHIFT;
      if (rest == PackedPage.NARROW_LONG_REST) {
        rest = from[at++] & 0xFF;
      }
    } else {
      rest = from[lengths + i] & 0xFF;
    }
    if (rest == PackedPage.LONG_REST) {
      rest = ByteArrays.i32(from, at);
      at += Integer.BYTES;
    }
    int shared = leastLcp + PackedPage.lcpOver(critical);
    if (file != null) {
      checkOrder(i, critical, shared);
    }
    int length = shared + 1 + rest;
    ensure(length);
    key[shared] = (byte) PackedPage.criticalByte(critical);
    ByteArrays.copy(from, at, key, shared + 1, rest);
    nextRest = at + rest;
    lcp = shared;
    keyLength = length;
    index = i;
    return true;
  }

  /** As {@link #next}, when the copy, or the place in it, is still to be made. */
  private boolean nextInCopy(int i) {
    if (!copied) {
      copyPage();
    }
    if (file != null && i > 0) {
      checkGroup(i);
      return next();
    }
    if (i > 0) {
      ready = n;
      nextRest = (int) (PackedPage.restAt(s, page, n, i, flags) - page);
      return next();
    }
    int first = (int) (PackedPage.firstKeyAt(s, page, n) - page);
    lcp = PackedPage.firstLcp(s, page);
    keyLength = PackedPage.firstLength(s, page);
    ensure(keyLength);
    System.arraycopy(copy, first, key, 0, keyLength);
    nextRest = first + keyLength;
    rests = nextRest;
    if (file != null) {
      checkGroup(0);
    } else {
      ready = n;
    }
    index = 0;
    return true;
  }

  /**
   * Checks what is said of the group of which entry i is the first, and that its rests are where
   * the next group expects them, so that none of them is taken for one of another length. Then goes
   * on in it.
   */
  private void checkGroup(int i) {
    int group = i / PackedPage.GROUP;
    int starts = (int) PackedPage.startsAt(0, n, flags);
    if (i == 0 && ByteArrays.u16(copy, starts) != 0) {
      throw damage("rests of entry 0 at 0", ByteArrays.u16(copy, starts));
    }
    int end = Math.min(n, i + PackedPage.GROUP);
    int least = PackedPage.NO_CRITICAL;
    for (int j = Math.max(1, i); j < end; j++) {
      least = Math.min(least, ByteArrays.u16(copy, criticals + 2 * j));
    }
    int at = narrow ? behindNarrowRests(Math.max(1, i), end) : behindRests(Math.max(1, i), end);
    int ends = end == n ? restsEnd : rests + ByteArrays.u16(copy, starts + 2 * group + 2);
    if (at != ends || at > restsEnd) {
      throw damage("rests of the entries before " + end + " that end at " + ends, at);
    }
    int found = ByteArrays.u16(copy, (int) PackedPage.leastAt(0) + 2 * group);
    if (found != least) {
      throw damage("least critical number " + least, found);
    }
    int critical = narrow ? least >>> PackedPage.NARROW_SHIFT : least;
    leastOver = Math.min(leastOver, PackedPage.lcpOver(critical));
    if (end == n && leastOver != 0) {
      throw damage("an entry with the least lcp " + leastLcp, leastLcp + leastOver);
    }
    ready = end;
  }

  /** Returns where the rests of some entries from the next one on end, in a page that is wide. */
  private int behindRests(int from, int end) {
    int at = nextRest;
    for (int j = from; j < end; j++) {
      int code = copy[lengths + j] & 0xFF;
      at = code == PackedPage.LONG_REST ? behindLongRest(at) : at + code;
    }
    return at;
  }

  /**
   * As {@link #behindRests} in a narrow page, four at a time if none is long, else without a branch
   * on which are, as that would be guessed wrong.
   */
  private int behindNarrowRests(int from, int end) {
    int at = nextRest;
    int j = from & -PackedPage.GROUP;
    // Entry 0 has no rest, which was checked.
    for (; j + 4 <= end; j += 4) {
      long codes = ByteArrays.i64(copy, criticals + 2 * j) & CODE_LANES;
      if ((codes + EVERY_LANE & ABOVE_CODES) != 0) {
        break;
      }
      at += (int) ((codes * EVERY_LANE) >>> 48);
    }
    for (; j < end; j++) {
      int code = ByteArrays.u16(copy, criticals + 2 * j) & PackedPage.NARROW_LONG_REST;
      int isShort = (code - PackedPage.NARROW_LONG_REST) >> 31;
      int told = copy[Math.min(at, restsEnd)] & 0xFF;
      int isOdd = (told - PackedPage.NARROW_LONG_REST) | (PackedPage.LONG_REST - 1 - told);
      if ((isOdd & ~isShort) < 0) {
        at = behindLongRest(at);
      } else {
        at += (code & isShort) | ((1 + told) & ~isShort);
      }
    }
    return at;
  }

  /** Returns where a long rest ends, whose length stands at a place in the copy. */
  private int behindLongRest(int at) {
    int length = -1;
    int head = 0;
    if (at < restsEnd) {
      length = narrow ? copy[at] & 0xFF : PackedPage.LONG_REST;
      head = narrow ? Byte.BYTES : 0;
      if (length == PackedPage.LONG_REST) {
        length = ByteArrays.i32(copy, at + head);
        head += Integer.BYTES;
      }
    }
    int least = head == Byte.BYTES ? PackedPage.NARROW_LONG_REST : PackedPage.LONG_REST;
    if (length < least || length > restsEnd - at - head) {
      throw damage("a long rest before byte " + restsEnd, length);
    }
    return at + head + length;
  }

  /** Checks that entry i is greater than its predecessor, which is in the buffer. */
  private void checkOrder(int i, int critical, int shared) {
    if (shared > keyLength) {
      throw damage("lcp of entry " + i + " at most " + keyLength, shared);
    }
    int criticalByte = PackedPage.criticalByte(critical);
    if (shared < keyLength && (key[shared] & 0xFF) >= criticalByte) {
      throw damage("entry " + i + " greater than the last by its byte " + shared, criticalByte);
    }
  }

  /** Is behind the last entry, up to which all was checked. */
  private boolean end() {
    if (file != null) {
      trust();
    }
    return false;
  }

  private CorruptionException damage(String expected, int found) {
    String name = Objects.requireNonNull(file);
    return new CorruptionException(name, fileOffset, expected, "" + found);
  }

  private void copyPage() {
    int size = (int) PackedPage.keysSize(s, page, n);
    if (copy.length < size + ByteArrays.SLACK) {
      copy = new byte[size + size / 8 + ByteArrays.SLACK];
    }
    Bytes.copy(s, page, copy, 0, size);
    criticals = (int) (criticalsAt - page);
    lengths = (int) (PackedPage.lengthsAt(page, n) - page);
    copied = true;
  }

  /** Moves to the previous entry of the page; false leaves it where it is. */
  public boolean previous() {
    if (index <= 0) {
      return false;
    }
    int shared = lcp(index);
    moveTo(index - 1, Math.min(keyLength, shared));
    lcp = shared;
    return true;
  }

  /**
   * Moves to an entry.
   *
   * @param known holds the first bytes of its key
   * @param knownLength how many
   */
  public void moveTo(int i, byte[] known, int knownLength) {
    ensure(knownLength);
    System.arraycopy(known, 0, key, 0, knownLength);
    moveTo(i, knownLength);
  }

  /** Moves to an entry, of whose key the first bytes are in the buffer already. */
  public void moveTo(int i, int known) {
    index = i;
    ready = 0;
    int end = Integer.MAX_VALUE;
    for (int from = i; from > 0 && end > known; from--) {
      int shared = lcp(from);
      if (shared < end) {
        piece(from, known, end);
        end = shared;
      }
    }
    int first = PackedPage.firstLength(s, page);
    if (i == 0) {
      keyLength = first;
      ensure(first);
      end = first;
    }
    if (end > known) {
      long at = PackedPage.firstKeyAt(s, page, n) + known;
      Bytes.copy(s, at, key, known, Math.min(end, first) - known);
    }
  }

  /** Returns how many bytes an entry but the first shares with the one before it. */
  public int lcp(int i) {
    return leastLcp + PackedPage.lcpOver(critical(i));
  }

  private int critical(int i) {
    int stored = Bytes.u16(s, criticalsAt + 2L * i);
    return narrow ? stored >>> PackedPage.NARROW_SHIFT : stored;
  }

  /**
   * Writes the bytes that entry i &gt; 0 stores, those from {@code known} to {@code end}, into the
   * key; the whole of them also sets the key's length.
   */
  private void piece(int i, int known, int end) {
    int critical = critical(i);
    int shared = leastLcp + PackedPage.lcpOver(critical);
    long at = PackedPage.restAt(s, page, n, i, flags);
    int code = PackedPage.lengthCode(s, page, n, i, flags);
    int rest = PackedPage.restLength(s, code, at, flags);
    at += PackedPage.restHead(code, rest, flags);
    if (end == Integer.MAX_VALUE) {
      keyLength = shared + 1 + rest;
      ensure(keyLength);
    }
    key[shared] = (byte) PackedPage.criticalByte(critical);
    int from = Math.max(shared + 1, known);
    int to = Math.min(shared + 1 + rest, end);
    if (from < to) {
      Bytes.copy(s, at + from - shared - 1, key, from, to - from);
    }
  }

  private void ensure(int length) {
    int needed = length + ByteArrays.SLACK;
    if (needed > key.length) {
      key = Arrays.copyOf(key, Math.max(needed, 2 * key.length));
    }
  }

  /** Returns the number of the entry; -1 before the first. */
  public int index() {
    return index;
  }

  /**
   * Returns what the page says that the key shares with the one that {@link #next} or {@link
   * #previous} left: for the first entry, with the last one of the page before.
   */
  public int lcp() {
    return lcp;
  }

  /** Returns a buffer whose first {@link #keyLength} bytes are the key, until the next move. */
  public byte[] key() {
    return key;
  }

  /** Returns the key's length. */
  public int keyLength() {
    return keyLength;
  }
}
