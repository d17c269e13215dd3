package io.github.coppicedb.tree;

import io.github.coppicedb.format.ByteArrays;
import io.github.coppicedb.format.CommonBytes;
import io.github.coppicedb.format.PackedPage;
import io.github.coppicedb.page.PageKeys;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which leaf of a tree a key belongs to, by the separators of all leaves, in heap: a search in it
 * spares those in all inner pages, which are half of what a get costs. Made for a tree that many
 * keys are sought in; takes about 14 bytes a leaf. Immutable, for any thread.
 *
 * <p>A trie whose nodes take eight bytes at a time as one word, as in Masstree (Mao, Kohler and
 * Morris, "Cache Craftiness for Fast Multicore Key-Value Storage", EuroSys 2012), and skip what all
 * separators below have in common. Separator 0 is empty and stands for itself: the trie has the
 * others, by their numbers. A search returns the number of the last separator that is at most the
 * key.
 */
final class LeafGuide {
  /** Only odd keys have nodes that are deeper, and recursion has an end. */
  private static final int MOST_DEPTH = 64;

  private static final int WORD = Long.BYTES;
  private static final int NONE = Integer.MAX_VALUE;

  private final Node root;

  /** The addresses of the leaves, in units of the alignment of pages. */
  private final int[] leaves;

  private LeafGuide(Node root, int[] leaves) {
    this.root = root;
    this.leaves = leaves;
  }

  /**
   * Some separators, which are the same before byte {@code at}.
   *
   * @param prefix what they have in common from there on
   * @param words the different words behind the prefix, ascending as signed numbers: eight bytes in
   *     the order of bytes, zeros for those behind the end, the highest bit turned around; none if
   *     there is one separator, which ends with the prefix
   * @param firsts the number of the first separator with each word, and the end of all
   * @param lengths the length of the separator that ends within a word, or {@link #NONE}
   * @param below the separators of a word that go on behind it, or null
   */
  private record Node(
      int at, byte[] prefix, long[] words, int[] firsts, int[] lengths, @Nullable Node[] below) {
    int first() {
      return firsts[0];
    }

    int end() {
      return firsts[firsts.length - 1];
    }
  }

  /** Returns the address of the leaf where a key belongs. */
  long leaf(byte[] key, int length) {
    return (leaves[find(key, length)] & 0xFFFF_FFFFL) * PackedPage.ALIGNMENT;
  }

  private int find(byte[] key, int length) {
    Node node = root;
    while (true) {
      byte[] prefix = node.prefix;
      int limit = Math.min(prefix.length, length - node.at);
      int common = CommonBytes.count(key, node.at, prefix, 0, limit);
      int at = node.at + common;
      if (common < prefix.length) {
        boolean isLess = at == length || (key[at] & 0xFF) < (prefix[common] & 0xFF);
        return isLess ? node.first() - 1 : node.end() - 1;
      }
      long[] words = node.words;
      if (words.length == 0) {
        return node.end() - 1;
      }
      long word = word(key, at, length);
      int i = lastAtMost(words, word);
      if (words[i] > word) {
        return node.first() - 1;
      }
      if (words[i] == word && at + WORD > length) {
        // The key ends in this word: before all that go on, and not before one that is a part of
        // it.
        return length >= node.lengths[i] ? node.firsts[i] : node.firsts[i] - 1;
      }
      Node below = node.below[i];
      if (words[i] < word || below == null) {
        return node.firsts[i + 1] - 1;
      }
      node = below;
    }
  }

  /** Returns the last word that is at most a given one, or 0. */
  private static int lastAtMost(long[] words, long word) {
    int base = 0;
    for (int n = words.length; n > 1; ) {
      int half = n >>> 1;
      base = words[base + half] <= word ? base + half : base;
      n -= half;
    }
    return base;
  }

  /** Returns the eight bytes from a place on; those behind the key's end are zeros. */
  private static long word(byte[] key, int at, int length) {
    if (at + WORD <= length) {
      return ByteArrays.ordered64(key, at) ^ Long.MIN_VALUE;
    }
    long word = 0;
    for (int i = at; i < length; i++) {
      word |= (key[i] & 0xFFL) << (56 - 8 * (i - at));
    }
    return word ^ Long.MIN_VALUE;
  }

  /**
   * Makes the guide of a tree with inner pages.
   *
   * @return null for separators that it is not made for
   * @throws io.github.coppicedb.CorruptionException if an inner page is damaged
   */
  static @Nullable LeafGuide of(PackedTree tree) {
    Builder builder = new Builder();
    builder.gather(tree.space(), tree.summary().root(), tree.summary().height() - 1);
    int end = builder.separators.size();
    Node root = end > 1 && builder.ascends ? builder.node(1, end, 0, 0) : null;
    return root == null ? null : new LeafGuide(root, builder.leaves());
  }

  /** Gathers separators and makes nodes of them. */
  private static final class Builder {
    private final List<byte[]> separators = new ArrayList<>();
    private int[] addresses = new int[64];
    private boolean ascends = true;

    /** Takes the separators below an inner page. Recursion is as deep as the tree is high. */
    void gather(PageSpace space, long address, int level) {
      space.touch(address, level);
      MemorySegment s = space.segment(address);
      long page = space.offset(address);
      int n = PackedPage.count(s, page);
      PageKeys keys = new PageKeys();
      keys.enter(s, page);
      for (int i = 0; keys.next(); i++) {
        long child = PackedPage.child(s, page, n, i);
        if (level > 1) {
          gather(space, child, level - 1);
        } else {
          add(Arrays.copyOf(keys.key(), keys.keyLength()), child);
        }
      }
    }

    private void add(byte[] separator, long leaf) {
      int count = separators.size();
      if (count == addresses.length) {
        addresses = Arrays.copyOf(addresses, 2 * count);
      }
      ascends &= count == 0 || Arrays.compareUnsigned(separators.get(count - 1), separator) < 0;
      addresses[count] = (int) (leaf / PackedPage.ALIGNMENT);
      separators.add(separator);
    }

    int[] leaves() {
      return Arrays.copyOf(addresses, separators.size());
    }

    /** Makes the node of the separators [from, end), which share their first {@code at} bytes. */
    @Nullable Node node(int from, int end, int at, int depth) {
      byte[] first = separators.get(from);
      byte[] last = separators.get(end - 1);
      int common = CommonBytes.count(first, at, last, at, Math.min(first.length, last.length) - at);
      byte[] prefix = Arrays.copyOfRange(first, at, at + common);
      if (end - from == 1) {
        return new Node(at, prefix, new long[0], new int[] {from, end}, new int[0], new Node[0]);
      }
      return depth < MOST_DEPTH ? inner(from, end, at, prefix, depth) : null;
    }

    private @Nullable Node inner(int from, int end, int at, byte[] prefix, int depth) {
      int place = at + prefix.length;
      long[] words = new long[end - from];
      int[] firsts = new int[end - from + 1];
      int count = 0;
      for (int i = from; i < end; i++) {
        byte[] separator = separators.get(i);
        long word = word(separator, place, separator.length);
        if (count == 0 || words[count - 1] != word) {
          words[count] = word;
          firsts[count++] = i;
        }
      }
      firsts[count] = end;
      int[] lengths = new int[count];
      Node[] below = new Node[count];
      for (int i = 0; i < count; i++) {
        int first = firsts[i];
        int length = separators.get(first).length;
        boolean ends = length <= place + WORD;
        lengths[i] = ends ? length : NONE;
        int longer = ends ? first + 1 : first;
        if (longer < firsts[i + 1]) {
          boolean goesOn = separators.get(longer).length > place + WORD;
          Node next = goesOn ? node(longer, firsts[i + 1], place + WORD, depth + 1) : null;
          if (next == null) {
            return null;
          }
          below[i] = next;
        }
      }
      return new Node(
          at,
          prefix,
          Arrays.copyOf(words, count),
          Arrays.copyOf(firsts, count + 1),
          lengths,
          below);
    }
  }
}
