package io.github.coppicedb.bench.keys;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Titles in the manner of an encyclopaedia's: one to four words joined by underscores, some with a
 * year or a remark in parentheses. Words are drawn by Zipf's law from a list of our own, names that
 * are made of syllables stand between them, as rare as such names are. One thread.
 */
final class TitleGenerator implements KeyGenerator {
  private static final int NAMES = 25_000;
  private static final double EXPONENT = 0.8;
  private static final Pattern WORD = Pattern.compile("\\S+");
  private static final String[] REMARKS = {
    "film", "album", "song", "novel", "band", "ship", "river", "village", "disambiguation", "game"
  };
  private static final String[] HEADS =
      "B C D F G H K L M N P R S T V W Br Ch Cl Dr Fr Gr Kr Pr Sh St Th Tr".split(" ");
  private static final String[] VOWELS = "a e i o u ai ea ie o a e".split(" ");
  private static final String[] TAILS = "n r l s t nd rt ll ck m x ng rn st ld v z d".split(" ");
  private static final String[] ENDS = {
    "", "", "a", "o", "i", "ton", "berg", "ville", "son", "ski", "er", "ham", "dorf", "ini"
  };

  private final Random random;
  private final List<String> words;
  private final ZipfLaw law;

  TitleGenerator(long seed) {
    this.random = new Random(seed);
    this.words = vocabulary();
    this.law = new ZipfLaw(words.size(), EXPONENT, random);
  }

  /** The listed words in their order, commonest first, and between them more and more names. */
  private List<String> vocabulary() {
    List<String> listed =
        WORD.matcher(Resources.text(TitleGenerator.class, "words.txt"))
            .results()
            .map(MatchResult::group)
            .toList();
    List<String> all = new ArrayList<>();
    int names = 0;
    for (int i = 0; i < listed.size(); i++) {
      all.add(capital(listed.get(i)));
      // Few names among the common words; quadratic, so that most stand behind all words.
      for (; names < (long) i * i * NAMES / 4 / listed.size() / listed.size(); names++) {
        all.add(name());
      }
    }
    for (; names < NAMES; names++) {
      all.add(name());
    }
    return all;
  }

  private static String capital(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  private String name() {
    StringBuilder name = new StringBuilder();
    for (int left = random.nextInt(2); left >= 0; left--) {
      name.append(any(HEADS)).append(any(VOWELS));
      if (left == 0 || random.nextInt(3) == 0) {
        name.append(any(TAILS));
      }
    }
    return capital(name.append(any(ENDS)).toString().toLowerCase(Locale.ROOT));
  }

  private String any(String[] list) {
    return list[random.nextInt(list.length)];
  }

  @Override
  public byte[] next() {
    StringBuilder title = new StringBuilder();
    int kind = random.nextInt(20);
    if (kind == 0) {
      title.append(year()).append('_');
    }
    int count = 1 + (random.nextInt(6) + random.nextInt(6)) / 4;
    for (int i = 0; i < count; i++) {
      title.append(i == 0 ? "" : "_").append(words.get(law.next()));
    }
    if (kind == 1) {
      title.append("_(").append(year()).append('_').append(any(REMARKS)).append(')');
    } else if (kind == 2) {
      title.append("_(").append(any(REMARKS)).append(')');
    }
    return title.toString().getBytes(StandardCharsets.UTF_8);
  }

  private int year() {
    int ago = random.nextInt(226);
    return 2026 - Math.min(ago, random.nextInt(226));
  }
}
