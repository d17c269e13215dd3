package io.github.coppicedb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.TidyRules.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Style as a test: a ratchet over the sources and documents of all modules. */
final class TidyTest {
  /** Files, or methods as {@code path#name}, that may be over the limit, each with its reason. */
  private static final Map<String, String> LONG_ONES = Map.of();

  private static final Path ROOT = findRoot();
  private static final Pattern CHECKED = Pattern.compile(".*\\.(java|md|xml|sh|yml)");
  private static final Set<String> SKIPPED = Set.of("target", ".git", ".idea", "node_modules");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");
  private static final List<Source> SOURCES = readSources();

  @Test
  void sourcesKeepTheRules() {
    assertTrue(SOURCES.stream().filter(Source::isMain).count() > 10, "no sources found");
    assertNone(new TidyRules(LONG_ONES).check(SOURCES));
  }

  @Test
  void everyPackageOfTheCoreIsDescribed() {
    Set<String> described = new TreeSet<>();
    Set<String> packages = new TreeSet<>();
    for (Source source : SOURCES) {
      if (source.path().startsWith("core/src/main/java/io/")) {
        packages.add(folder(source.path()));
        if (source.path().endsWith("/package-info.java")) {
          described.add(folder(source.path()));
        }
      }
    }
    assertTrue(packages.contains("core/src/main/java/io/github/coppicedb"));
    assertEquals(packages, described);
  }

  @Test
  void changelogHasAnUnreleasedSection() throws IOException {
    assertTrue(Files.readAllLines(ROOT.resolve("CHANGELOG.md")).contains("## Unreleased"));
  }

  @Test
  void linksInDocumentsLeadSomewhere() {
    List<String> broken = new ArrayList<>();
    for (Source source : SOURCES) {
      if (source.path().endsWith(".md")) {
        broken.addAll(brokenLinks(source));
      }
    }
    assertNone(broken);
    Source planted = new Source("docs/planted.md", "[a](../pom.xml) [b](no/such.md) `[c](c)`");
    assertEquals(List.of("docs/planted.md: no/such.md"), brokenLinks(planted));
  }

  @Test
  void decisionsHaveTheirParts() {
    List<String> wrong = new ArrayList<>();
    int seen = 0;
    for (Source source : SOURCES) {
      if (source.path().matches("docs/decisions/\\d{4}-.*\\.md")) {
        seen++;
        for (String part : List.of("Status", "Context", "Choice", "Rejected")) {
          if (source.lines().stream().noneMatch(l -> l.matches("#+ " + part + "\\b.*"))) {
            wrong.add(source.path() + ": no heading " + part);
          }
        }
      }
    }
    assertTrue(seen > 0, "no decisions found");
    assertNone(wrong);
  }

  @Test
  void plantedProblemsAreSeen() {
    String wide = "  // " + "w".repeat(TidyRules.MAX_COLUMNS) + "\n";
    String longMethod = "  void m() {\n" + "\n".repeat(TidyRules.MAX_METHOD_LINES) + "  }\n";
    assertPlanted("wider than 100 columns", wide);
    assertPlanted("m has 72 lines, the limit is 70", longMethod);
    assertPlanted("602 lines, the limit is 600", "\n".repeat(TidyRules.MAX_FILE_LINES));
    assertPlanted("a tab", "\tint i;\n");
    assertPlanted("a space at the end", "  int i; \n");
    assertPlanted("a note to self", "  // TO" + "DO: later\n");
    assertPlanted("printStackTrace", "  void m(Exception e) { e.printStackTrace(); }\n");
    assertPlanted("an empty catch block", "  void m() { try { m(); } catch (Error e) { } }\n");
    assertPlanted("a test is switched off", "  @Disabled(\"slow\") void m() {}\n");
    assertPlanted("SuppressWarnings without", "  int i;\n  @SuppressWarnings(\"x\") int j;\n");
    assertPlanted("remove the exception", "", Map.of("core/src/main/java/Old.java", "was long"));
  }

  @Test
  void reasonsAndExceptionsAreAccepted() {
    assertNone(
        planted("  // It is known to be safe.\n  @SuppressWarnings(\"x\") int j;\n", Map.of()));
    assertNone(planted("  void m() { try { m(); } catch (Error e) { /* none */ } }\n", Map.of()));
    String longMethod = "  void m() {\n" + "\n".repeat(TidyRules.MAX_METHOD_LINES) + "  }\n";
    assertNone(planted(longMethod, Map.of(PLANTED + "#m", "a table")));
  }

  private static final String PLANTED = "core/src/main/java/Planted.java";

  private static List<String> planted(String body, Map<String, String> exceptions) {
    String text = "class Planted {\n" + body + "}\n";
    return new TidyRules(exceptions).check(List.of(new Source(PLANTED, text)));
  }

  private static void assertPlanted(String problem, String body) {
    assertPlanted(problem, body, Map.of());
  }

  private static void assertPlanted(String problem, String body, Map<String, String> exceptions) {
    List<String> found = planted(body, exceptions);
    assertEquals(1, found.size(), () -> problem + " expected, found " + found);
    assertTrue(found.getFirst().contains(problem), () -> problem + " expected, found " + found);
  }

  private static void assertNone(List<String> problems) {
    assertTrue(problems.isEmpty(), () -> "\n" + String.join("\n", problems));
  }

  private static List<String> brokenLinks(Source document) {
    List<String> broken = new ArrayList<>();
    Path folder = ROOT.resolve(document.path()).resolveSibling(".");
    Matcher links = LINK.matcher(CODE.matcher(document.text()).replaceAll(""));
    while (links.find()) {
      String target = links.group(1).replaceFirst("#.*", "");
      boolean elsewhere = target.contains("://") || target.startsWith("mailto:");
      if (!target.isEmpty() && !elsewhere && !Files.exists(folder.resolve(target))) {
        broken.add(document.path() + ": " + target);
      }
    }
    return broken;
  }

  private static String folder(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }

  private static Path findRoot() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("core/pom.xml"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new AssertionError("the tests run outside the repository");
      }
    }
    return folder;
  }

  private static List<Source> readSources() {
    List<Source> sources = new ArrayList<>();
    SimpleFileVisitor<Path> reader =
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean skipped = SKIPPED.contains(String.valueOf(folder.getFileName()));
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String path = ROOT.relativize(file).toString().replace('\\', '/');
            if (CHECKED.matcher(path).matches()) {
              sources.add(new Source(path, Files.readString(file)));
            }
            return FileVisitResult.CONTINUE;
          }
        };
    try {
      Files.walkFileTree(ROOT, reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(sources);
  }
}
