package io.github.coppicedb.bench.keys;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;

/**
 * Words of a dissociated press: each letter is one that follows the last two letters, or for every
 * third letter the last three, somewhere in the shipped text, which is in the public domain. One
 * thread.
 */
final class WordGenerator implements KeyGenerator {
  private static final int MOST = 40;
  private static final int SYMBOLS = 27;
  private static final int PAIRS = SYMBOLS * SYMBOLS;
  private static final int END = 0;

  private final Random random;
  // All that follows a context in the text, each as often as it does: drawing one of it is drawing
  // by frequency. A context is a number of digits to the base 27, 0 where no letter is.
  private final byte[][] afterTwo;
  private final byte[][] afterThree;

  WordGenerator(long seed) {
    this.random = new Random(seed);
    String text = Resources.text(WordGenerator.class, "text.txt").toLowerCase(Locale.ROOT);
    this.afterTwo = followers(text, PAIRS);
    this.afterThree = followers(text, PAIRS * SYMBOLS);
  }

  private static byte[][] followers(String text, int contexts) {
    ByteArrayOutputStream[] found = new ByteArrayOutputStream[contexts];
    int context = 0;
    for (int i = 0; i < text.length(); i++) {
      int symbol = symbol(text.charAt(i));
      if (symbol == END && context == 0) {
        continue;
      }
      if (found[context] == null) {
        found[context] = new ByteArrayOutputStream();
      }
      found[context].write(symbol);
      context = symbol == END ? 0 : (context * SYMBOLS + symbol) % contexts;
    }
    byte[][] all = new byte[contexts][];
    for (int i = 0; i < contexts; i++) {
      all[i] = found[i] == null ? new byte[] {END} : found[i].toByteArray();
    }
    return all;
  }

  private static int symbol(char character) {
    return character >= 'a' && character <= 'z' ? character - 'a' + 1 : END;
  }

  @Override
  public byte[] next() {
    StringBuilder word = new StringBuilder();
    int context = 0;
    while (word.length() < MOST) {
      byte[] choice = word.length() % 3 == 2 ? afterThree[context] : afterTwo[context % PAIRS];
      int symbol = choice[random.nextInt(choice.length)];
      if (symbol == END) {
        break;
      }
      word.append((char) ('a' + symbol - 1));
      context = (context * SYMBOLS + symbol) % afterThree.length;
    }
    return word.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
